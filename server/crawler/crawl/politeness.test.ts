import type { ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { MemoryFrontier, type SeenRequest } from '../testing.ts'
import { POLITE } from './hosts.ts'
import { FAST, page, testCrawls } from './testing.ts'

const t = testCrawls()
afterEach(() => t.end())

const html = (response: ServerResponse, text: string) => response.setHeader('content-type', 'text/html').end(text)
const links = (count: number) => Array.from({ length: count }, (_, i) => `/p${i}`)
const gaps = (log: SeenRequest[]) => log.slice(1).map(({ from }, i) => from - (log[i]?.from ?? 0))
/** Milliseconds by which a request that was made in time may be seen late by a site on a busy machine, and the next not. */
const JITTER = 100
const answering = (milliseconds: number) => (request: { url?: string }, response: ServerResponse) => {
  setTimeout(() => html(response, page(`Page ${request.url}`)), milliseconds)
}

test('politeness: all crawls together send a host at most two requests at once and five a second', async () => {
  const site = await t.site(
    { '/': page('Home', ...links(9)), '/other': page('Other', '/q1', '/q2', '/q3') },
    answering(30),
  )
  const crawler = t.makeCrawler([site.host])
  const crawl = (path: string) => {
    const frontier = new MemoryFrontier([{ url: site.url + path, depth: 0, priority: 0 }])
    const settings = { hosts: [site.host], subdomains: false, include: [], exclude: [], maxPages: 100, maxDepth: 3 }
    return crawler.crawl({ settings, frontier, signal: new AbortController().signal })
  }
  const ends = await Promise.all([crawl('/'), crawl('/other')])
  expect(ends.map(({ pagesRead }) => pagesRead)).toEqual([10, 4])
  expect(site.paths().filter((path) => path === '/robots.txt')).toHaveLength(1)
  expect(site.mostAtOnce()).toBeLessThanOrEqual(2)
  expect(site.mostInASecond()).toBeLessThanOrEqual(5)
})

test('politeness: the allowed pace is used', async () => {
  const site = await t.site({ '/': page('Home', ...links(12)) }, answering(10))
  await t.crawl([`${site.url}/`], { crawler: { pace: POLITE }, settings: { maxDepth: 1 } })
  const seconds = ((site.log.at(-1)?.from ?? 0) - (site.log[0]?.from ?? 0)) / 1000
  // Five a second are allowed; a busy machine may cost half of it.
  expect(site.log.length / seconds).toBeGreaterThan(2)
})

test('politeness: the crawl delay of a site is respected up to a limit, and a note tells the limit', async () => {
  const site = await t.site(
    { '/robots.txt': 'User-agent: *\nCrawl-delay: 0.6', '/': page('Home', '/a', '/b') },
    answering(50),
  )
  await t.crawl([`${site.url}/`], { crawler: { pace: POLITE } })
  expect(Math.min(...gaps(site.log).slice(1))).toBeGreaterThanOrEqual(600 - JITTER)
  expect(site.mostAtOnce()).toBe(1)

  const slow = await t.site(
    { '/robots.txt': 'User-agent: postlark\nCrawl-delay: 86400', '/': page('Home', '/a') },
    answering(5),
  )
  const notes: string[] = []
  await t.crawl([`${slow.url}/`], {
    crawler: { pace: { ...POLITE, longestDelay: 0.5 } },
    onNote: ({ text }) => notes.push(text),
  })
  expect(notes).toEqual([`${slow.host} asks for 86400 seconds between two pages; it gets 0.5.`])
  expect(Math.min(...gaps(slow.log).slice(1))).toBeGreaterThanOrEqual(500 - JITTER)
})

test('politeness: a busy server gets no request during its Retry-After, then the page is requested again', async () => {
  let busy = 2
  const site = await t.site({
    '/': page('Home', '/a', '/b'),
    '/a': (_, response) => {
      if (busy-- > 0) response.writeHead(busy ? 429 : 503, { 'retry-after': '1' }).end()
      else html(response, page('a@firma-test.de'))
    },
    '/b': page('b@firma-test.de'),
  })
  const { frontier } = await t.crawl([`${site.url}/`], { crawler: { pace: { ...FAST, atOnce: 1 } } })
  expect(frontier.findings.map(({ value }) => value).sort()).toEqual(['a@firma-test.de', 'b@firma-test.de'])
  const [first = 0, second = 0, third = 0] = site.log
    .flatMap(({ path, from }, i) => (path === '/a' ? [{ i, from }] : []))
    .map(({ from }) => from)
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(1_000 - JITTER)
  // Nothing else of the host in between either.
  const quiet = site.log.filter(({ from }) => from > first && from < first + 1_000 - JITTER)
  expect(quiet).toEqual([])
})

test('politeness: a server that stays busy is given up, and the other sites are read', async () => {
  const busy = await t.site({}, (_, response) => void response.writeHead(429, { 'retry-after': '0' }).end())
  const away = await t.site(
    { '/robots.txt': 'User-agent: *\nDisallow:' },
    (_, response) => void response.writeHead(503, { 'retry-after': '7200' }).end(),
  )
  const good = await t.site({ '/': page('good@firma-test.de') })
  const { end, frontier } = await t.crawl([`${busy.url}/`, `${away.url}/`, `${away.url}/2`, `${good.url}/`])
  expect(end.end).toBe('done')
  expect(frontier.findings).toHaveLength(1)
  expect(frontier.skipped.get(`${busy.url}/`)).toEqual({
    reason: 'error',
    text: 'The server asks to slow down (429).',
  })
  expect(busy.paths().filter((path) => path === '/').length).toBe(4)
  expect(frontier.skipped.get(`${away.url}/2`)?.text).toMatch(/asks for a pause of 2 hours/)
})

test.each([
  ['answers 500', 500, 'robots'],
  ['answers 429', 429, 'robots'],
])('politeness: a site whose robots.txt %s is not crawled, and the reason is given', async (_, status, reason) => {
  const site = await t.site({
    '/robots.txt': (_, response) => void response.writeHead(status, { 'retry-after': '0' }).end(),
    '/': page('found@firma-test.de'),
  })
  const { end, frontier } = await t.crawl([`${site.url}/`])
  expect(end).toEqual({ end: 'done', pagesRead: 0 })
  expect(frontier.skipped.get(`${site.url}/`)).toMatchObject({
    reason,
    text: expect.stringMatching(new RegExp(`robots.txt responds with status ${status}`)),
  })
  expect(new Set(site.paths())).toEqual(new Set(['/robots.txt']))
})

test('politeness: a site whose robots.txt breaks off is not crawled, and it is requested once', async () => {
  const site = await t.site({ '/robots.txt': (request) => void request.destroy(), '/': page('found@firma-test.de') })
  const urls = Array.from({ length: 40 }, (_, i) => `${site.url}/${i}`)
  const { frontier } = await t.crawl(urls)
  expect([...frontier.skipped.values()].map(({ reason }) => reason)).toEqual(urls.map(() => 'robots'))
  expect(frontier.skipped.get(`${site.url}/1`)?.text).toMatch(/robots.txt could not be fetched/)
  expect(site.log.length).toBeLessThanOrEqual(2)
})

test.each([404, 403])('politeness: a robots.txt with status %s forbids nothing', async (status) => {
  const site = await t.site({
    '/robots.txt': (_, response) => void response.writeHead(status).end(),
    '/': page('found@firma-test.de'),
  })
  expect((await t.crawl([`${site.url}/`])).frontier.findings).toHaveLength(1)
})

test('politeness: robots.txt is followed over five redirects, but not into a private network', async () => {
  const step = (n: number) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(301, { location: n === 5 ? '/rules' : `/step${n + 1}` }).end()
  const site = await t.site({
    '/robots.txt': step(1),
    ...Object.fromEntries([2, 3, 4, 5].map((n) => [`/step${n}`, step(n)])),
    '/rules': 'User-agent: *\nDisallow: /secret',
    '/': page('Home', '/secret', '/open'),
    '/open': page('Open'),
  })
  const { frontier } = await t.crawl([`${site.url}/`])
  expect(frontier.skipped.get(`${site.url}/secret`)?.reason).toBe('robots')
  expect(frontier.read.size).toBe(2)
  const trick = await t.site({
    '/robots.txt': (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/robots.txt' }).end(),
    '/': page('Home'),
  })
  const other = await t.crawl([`${trick.url}/`])
  expect(other.frontier.skipped.get(`${trick.url}/`)?.reason).toBe('blocked')
})

test('politeness: a slow host delays no other host', async () => {
  const slow = await t.site({ '/robots.txt': 'User-agent: *\nCrawl-delay: 30' }, () => undefined)
  const quick = await t.site({ '/': page('Home', ...links(30)) }, answering(5))
  const stop = new AbortController()
  // More than are taken at first and with the first look for other hosts.
  const slowPages = Array.from({ length: 400 }, (_, i) => ({ url: `${slow.url}/${i}`, depth: 0, priority: 0 as const }))
  const frontier = new MemoryFrontier([...slowPages, { url: `${quick.url}/`, depth: 0, priority: 2 }])
  frontier.settle = async (outcomes) => {
    await MemoryFrontier.prototype.settle.call(frontier, outcomes)
    if (frontier.read.size === 31) stop.abort()
  }
  const urls = [`${slow.url}/`, `${quick.url}/`]
  const { end } = await t.crawl(urls, {
    frontier,
    signal: stop.signal,
    crawler: { pace: { ...POLITE, perSecond: 100 } },
  })
  expect(end).toEqual({ end: 'stopped', pagesRead: 31 })
  // All of it while the slow one made us wait for its first page.
  expect(slow.log.map(({ path }) => path)).toEqual(['/robots.txt'])
})

/** Bytes in use, without what is only waiting to be collected. */
const heapUsed = () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const PAGES = isLong ? 10_000 : 2_000

test('politeness: thousands of URLs on one or many hosts are all read with bounded memory', async () => {
  const hosts = await Promise.all(Array.from({ length: 20 }, () => t.site({}, answering(0))))
  const urls = Array.from({ length: PAGES }, (_, i) => `${hosts[i % 20]?.url}/${i}`)
  const before = heapUsed()
  const frontier = new MemoryFrontier(
    urls.map((url) => ({ url, depth: 0, priority: 0 })),
    false,
  )
  const { end } = await t.crawl([...new Set(hosts.map(({ url }) => `${url}/`))], {
    frontier,
    settings: { maxPages: PAGES, maxDepth: 0 },
  })
  expect(end).toEqual({ end: 'limit', pagesRead: PAGES })
  expect(heapUsed() - before).toBeLessThan(PAGES * 30_000)
}, 300_000)
