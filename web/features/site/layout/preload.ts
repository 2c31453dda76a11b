import { useEffect } from 'react'
import { useMatches } from 'react-router'
import { siteRules } from '#contracts/site/site.ts'
import { findRouteIds, SOON_AFTER, WITH_THE_LOADER } from './preloaded-pages.ts'

/** What React Router tells the browser of each route: the files of its code, those they need, and the layout around it. */
interface RouteFiles {
  parentId?: string
  module: string
  clientLoaderModule?: string
  imports?: string[]
  css?: string[]
}

/** The routes of pages (by the names of their files) and of every layout around them. */
function findRouteFiles(names: string[]): RouteFiles[] {
  const { routes } = (globalThis as { __reactRouterManifest?: { routes: Record<string, RouteFiles> } })
    .__reactRouterManifest ?? { routes: {} }
  return findRouteIds(routes, names).flatMap((id) => routes[id] ?? [])
}

function addLink(rel: string, href: string): void {
  if ([...document.head.querySelectorAll('link')].some((link) => link.getAttribute('href') === href)) return
  const link = document.createElement('link')
  link.rel = rel
  link.href = href
  document.head.append(link)
}

/** Fetches the code and the styles of pages without running them. What cannot be fetched is left for later. */
function fetchPages(names: string[]): void {
  // In watch mode it would have Vite find packages behind a developer's back, and load the page again.
  if (import.meta.env.DEV) return
  const routes = findRouteFiles(names)
  for (const file of new Set(
    routes.flatMap((route) => [route.module, route.clientLoaderModule, ...(route.imports ?? [])]),
  ))
    if (file) addLink('modulepreload', file)
  // Nothing depends on these being there at once, and an unused preload would be complained of.
  for (const file of new Set(routes.flatMap((route) => route.css ?? []))) addLink('prefetch', file)
}

/** Fetches pages that certainly come next and runs their code, which shows nothing yet, so that they open at once. */
export function readyPages(names: string[]): void {
  fetchPages(names)
  if (import.meta.env.DEV) return
  // What does not come now is fetched again when the page is opened, and its failure shown there.
  for (const { module } of findRouteFiles(names)) void import(/* @vite-ignore */ module).catch(() => undefined)
}

/**
 * Fetches ahead what is likely next: signing in while the loader shows, and the public pages the specification names a little after
 * the load of any page without the shell of signed-in users, who go elsewhere.
 */
export function usePreload(): void {
  const isPublic = !useMatches().some(({ id }) => id.endsWith('/shell/shell'))
  useEffect(() => {
    // Where the page's program comes later than the loader goes, they are fetched all the same.
    if (document.documentElement.dataset.reloaded !== undefined) fetchPages(WITH_THE_LOADER)
    if (!isPublic) return
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
  }, [isPublic])
}
