/** What tests of the crawl begin with. */
import { createCrawler } from '../index.ts'
import { MemoryFrontier, startSite } from '../testing.ts'
import type { CrawlerOptions } from './crawler.ts'
import type { CrawlOptions, CrawlSettings } from './types.ts'

/** No waiting between requests: for tests of something else. */
export const FAST = { atOnce: 16, perSecond: Number.POSITIVE_INFINITY, longestDelay: 60 }

/** A page with a text and links. */
export const page = (text: string, ...links: string[]) =>
  `<title>${text}</title><p>${text}</p>${links.map((link) => `<a href="${link}">go on</a>`).join('')}`

export interface TestCrawl extends Partial<Omit<CrawlOptions, 'settings' | 'frontier'>> {
  settings?: Partial<CrawlSettings>
  frontier?: MemoryFrontier
  crawler?: Partial<CrawlerOptions>
  /** Hosts that may be reached besides those of the start addresses. */
  allow?: string[]
}

/** Sites and crawlers that end with the test. */
export function testCrawls() {
  const cleanups: (() => unknown)[] = []
  const makeCrawler = (allow: string[], options: Partial<CrawlerOptions> = {}) => {
    const rules = { allow, dnsServers: [] }
    const crawler = createCrawler({ rules, userAgent: 'Postlark/1.0 (+http://localhost/bot)', ...options })
    cleanups.push(() => crawler.close())
    return crawler
  }
  return {
    makeCrawler,
    async site(...given: Parameters<typeof startSite>) {
      const started = await startSite(...given)
      cleanups.push(started.close)
      return started
    },
    /** Crawls to the end, without politeness unless `crawler.pace` says otherwise. */
    async crawl(urls: string[], { settings, frontier, crawler, allow = [], ...rest }: TestCrawl = {}) {
      const hosts = [...new Set(urls.map((url) => new URL(url).host))]
      const used = frontier ?? new MemoryFrontier(urls.map((url) => ({ url, depth: 0, priority: 0 })))
      const all = { hosts, subdomains: false, include: [], exclude: [], maxPages: 200, maxDepth: 3, ...settings }
      const signal = new AbortController().signal
      const made = makeCrawler([...hosts, ...allow], { pace: FAST, ...crawler })
      return { end: await made.crawl({ settings: all, frontier: used, signal, ...rest }), frontier: used }
    },
    async end() {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    },
  }
}
