export { NotFound } from './not-found.tsx'
export { fetchPages } from './preload.ts'
