export { NotFound } from './not-found.tsx'
export { readyPages } from './preload.ts'
