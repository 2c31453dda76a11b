export { NotFound } from './layout/not-found.tsx'
export { readyPages } from './layout/preload.ts'
export { default as SiteLayout } from './layout/site-layout.tsx'
