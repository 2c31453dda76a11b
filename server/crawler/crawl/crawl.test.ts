import { afterEach, expect, test } from 'vitest'
import { createCrawler, startPages } from '../index.ts'
import { MemoryFrontier, startSite } from '../testing.ts'
import type { CrawlerOptions } from './crawler.ts'
import type { CrawlOptions, CrawlSettings } from './types.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function site(...given: Parameters<typeof startSite>) {
  const started = await startSite(...given)
  cleanups.push(started.close)
  return started
}

const FAST = { atOnce: 16, perSecond: Number.POSITIVE_INFINITY, longestDelay: 60 }

async function crawl(
  urls: string[],
  settings: Partial<CrawlSettings> = {},
  {
    frontier,
    crawler: made,
    ...rest
  }: Partial<CrawlOptions> & { frontier?: MemoryFrontier; crawler?: Partial<CrawlerOptions> } = {},
) {
  const allow = urls.map((url) => new URL(url).host)
  const rules = { allow, dnsServers: [] }
  const crawler = createCrawler({ rules, userAgent: 'Postlark/1.0 (+http://localhost/bot)', pace: FAST, ...made })
  cleanups.push(() => crawler.close())
  const { pages, hosts } = startPages(urls, rules)
  const used = frontier ?? new MemoryFrontier(pages)
  const end = await crawler.crawl({
    settings: { hosts, subdomains: false, include: [], exclude: [], maxPages: 200, maxDepth: 3, ...settings },
    frontier: used,
    signal: new AbortController().signal,
    ...rest,
  })
  return { end, frontier: used }
}

const page = (text: string, ...links: string[]) =>
  `<title>${text}</title><p>${text}</p>${links.map((link) => `<a href="${link}">go on</a>`).join('')}`

test('a site is read, contact pages first, and its addresses are found', async () => {
  const local = await site({
    '/robots.txt': 'User-agent: *\nDisallow: /private/',
    '/': page('Home', '/news', '/private/a', '/team', '/impressum', 'https://elsewhere.example/'),
    '/news': page('News'),
    '/team': page('Team: ada@firma-test.de'),
    '/impressum': page('Impressum: info@firma-test.de'),
  })
  const { end, frontier } = await crawl([`${local.url}/`], {}, { crawler: { pace: { ...FAST, atOnce: 1 } } })
  expect(end).toEqual({ end: 'done', pagesRead: 4 })
  expect(frontier.findings.map(({ value }) => value).sort()).toEqual(['ada@firma-test.de', 'info@firma-test.de'])
  expect(frontier.skipped.get(`${local.url}/private/a`)).toMatchObject({ reason: 'robots' })
  expect(local.paths().filter((path) => path !== '/sitemap.xml')).toEqual([
    '/robots.txt',
    '/',
    '/team',
    '/impressum',
    '/news',
  ])
  expect(new Set(local.log.map(({ agent }) => agent))).toEqual(new Set(['Postlark/1.0 (+http://localhost/bot)']))
})

test('one host is asked at most two things at once and five in any second, robots.txt included', async () => {
  const links = Array.from({ length: 14 }, (_, i) => `/p${i}`)
  const local = await site({ '/': page('Home', ...links) }, (request, response) => {
    setTimeout(() => response.setHeader('content-type', 'text/html').end(page(`Page ${request.url}`)), 30)
  })
  const { end } = await crawl([`${local.url}/`], {}, { crawler: { pace: undefined as never } })
  expect(end.pagesRead).toBe(15)
  expect(local.mostAtOnce()).toBeLessThanOrEqual(2)
  expect(local.mostInASecond()).toBeLessThanOrEqual(5)
})
