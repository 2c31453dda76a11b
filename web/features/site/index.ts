export { NotFound } from './layout/not-found.tsx'
export { readyPages } from './layout/preload.ts'
