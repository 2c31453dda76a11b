import { type Fetcher, FetchProblem } from '../fetch/fetcher.ts'
import type { Scope } from '../frontier/scope.ts'
import { findTrap, pagePriority } from '../frontier/urls.ts'
import { type PageReader, ReadProblem } from '../read/reader.ts'
import type { RobotsRules, Rules } from '../robots/asking.ts'
import { type Hosts, toPaceHost } from './hosts.ts'
import type { NewPage } from './types.ts'

/** Site maps read of one site, and bytes of one, packed and unpacked. */
const MAX_MAPS = 20
const MAX_BYTES = 10_000_000
const TYPES = /xml|text\/plain|gzip|octet-stream/

export interface SiteMapParts {
  fetcher: Fetcher
  reader: PageReader
  hosts: Hosts
  rules: RobotsRules
}

/**
 * The pages that the site maps of an origin name, contact pages first, up to `most`: as far as they are in scope. What cannot be
 * had or read is skipped: a site map is an offer. Rejects only when the signal is aborted.
 */
export async function pagesOfSiteMaps(
  origin: string,
  { robots }: Rules,
  { fetcher, reader, hosts, rules }: SiteMapParts,
  scope: Scope,
  most: number,
  signal: AbortSignal,
): Promise<NewPage[]> {
  const queue = [...new Set(robots.sitemaps.length > 0 ? robots.sitemaps : [`${origin}/sitemap.xml`])]
  const asked = new Set<string>()
  const found = new Map<string, NewPage>()
  while (queue.length > 0 && asked.size < MAX_MAPS && found.size < most * 4) {
    const address = URL.parse(queue.shift() ?? '', origin)
    // Those on other hosts have other rules: only what belongs to the job is asked for.
    if (!address || !/^https?:$/.test(address.protocol) || !scope.hasHost(address.href) || asked.has(address.href))
      continue
    asked.add(address.href)
    const known = address.origin === origin ? robots : (await rules.ask(address.origin)).robots
    if (!known.allows(address.pathname + address.search)) continue
    const pass = await hosts.enter(toPaceHost(address.href), signal)
    let isBroken = true
    try {
      const wanted = { accept: 'application/xml,text/xml;q=0.9,*/*;q=0.1', types: TYPES, mostBytes: MAX_BYTES, signal }
      const fetched = await fetcher.get(address.href, wanted)
      isBroken = fetched.cut
      pass.leave(isBroken)
      if (fetched.location && fetched.status >= 300 && fetched.status < 400) queue.unshift(fetched.location)
      if (fetched.status !== 200) continue
      const { url, contentType, bytes } = fetched
      const map = await reader.siteMap({ url, contentType, bytes }, MAX_BYTES)
      queue.push(...map.maps)
      for (const page of map.pages)
        if (scope.has(page) && !findTrap(page))
          found.set(page, { url: page, depth: 1, priority: pagePriority(page, '') })
    } catch (error) {
      if (signal.aborted || !(error instanceof FetchProblem || error instanceof ReadProblem)) throw error
    } finally {
      pass.leave(isBroken)
    }
  }
  return [...found.values()].sort((a, b) => a.priority - b.priority).slice(0, most)
}
