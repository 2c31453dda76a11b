import { useEffect } from 'react'
import { siteRules } from '#contracts/site.ts'

/** What React Router tells the browser of each page: the file of its code, and the files it needs. */
interface PageFiles {
  module: string
  imports?: string[]
  css?: string[]
}

const WITH_THE_LOADER = ['login-page', 'signup-page', 'dashboard-page']
const SOON_AFTER = ['contact-page', 'about-page', 'pricing-page', 'services-page']

/** Fetches the code of pages (by the names of their files) without running it. What cannot be fetched is left for later. */
function fetchPages(names: string[]): void {
  const { routes } = (globalThis as { __reactRouterManifest?: { routes: Record<string, PageFiles> } })
    .__reactRouterManifest ?? { routes: {} }
  const pages = Object.entries(routes).filter(([id]) => names.some((name) => id.endsWith(`/${name}`)))
  for (const file of new Set(pages.flatMap(([, page]) => [page.module, ...(page.imports ?? [])]))) {
    if (document.querySelector(`link[rel=modulepreload][href="${file}"]`)) continue
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
}

/** Fetches ahead what is likely next: signing in while the loader shows, the pages beside this one a little after its load. */
export function usePreload(): void {
  useEffect(() => {
    // In watch mode it would have Vite find packages behind a developer's back, and load his page again.
    if (import.meta.env.DEV) return
    if (document.documentElement.dataset.loading !== undefined) fetchPages(WITH_THE_LOADER)
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer = setTimeout(() => fetchPages(SOON_AFTER), siteRules.preload)
    }
    if (document.readyState === 'complete') soon()
    else addEventListener('load', soon)
    return () => {
      clearTimeout(timer)
      removeEventListener('load', soon)
    }
  }, [])
}
