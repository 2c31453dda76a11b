import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { MemoryFrontier } from '../testing.ts'
import { page, testCrawls } from './testing.ts'

const t = testCrawls()
afterEach(() => t.end())

const html = (response: ServerResponse, text: string) => response.setHeader('content-type', 'text/html').end(text)
const moved =
  (to: string) =>
  (_: unknown, response: ServerResponse): void =>
    void response.writeHead(302, { location: to }).end()

test('crawl: a site is read with contact pages first, and its addresses are found', async () => {
  const site = await t.site({
    '/robots.txt': 'User-agent: *\nDisallow: /private/',
    '/': page('Home', '/news', '/private/a', '/team', '/impressum', 'https://elsewhere.example/'),
    '/news': page('News'),
    '/team': page('Team: ada@firma-test.de'),
    '/impressum': page('Impressum: info@firma-test.de'),
  })
  const { end, frontier } = await t.crawl([`${site.url}/`], { crawler: { atOnce: 1 } })
  expect(end).toEqual({ end: 'done', pagesRead: 4 })
  expect(frontier.findings.map(({ value }) => value).sort()).toEqual(['ada@firma-test.de', 'info@firma-test.de'])
  expect(frontier.skipped.get(`${site.url}/private/a`)).toMatchObject({ reason: 'robots' })
  expect(site.paths().filter((path) => path !== '/sitemap.xml')).toEqual([
    '/robots.txt',
    '/',
    '/team',
    '/impressum',
    '/news',
  ])
  expect(new Set(site.log.map(({ agent }) => agent))).toEqual(new Set(['Postlark/1.0 (+http://localhost/bot)']))
})

test('crawl: no more pages are requested than maxPages', async () => {
  const links = Array.from({ length: 60 }, (_, i) => `/p${i}`)
  const site = await t.site({ '/': page('Home', ...links) }, (request, response) =>
    html(response, page(request.url ?? '')),
  )
  const { end, frontier } = await t.crawl([`${site.url}/`], { settings: { maxPages: 23 } })
  expect(end).toEqual({ end: 'limit', pagesRead: 23 })
  expect(frontier.read.size).toBe(23)
  expect(site.paths().filter((path) => path === '/' || path.startsWith('/p')).length).toBe(23)
})

test('crawl: links are followed down to maxDepth', async () => {
  const site = await t.site({
    '/': page('0', '/1'),
    '/1': page('1', '/2'),
    '/2': page('2', '/3'),
    '/3': page('3'),
  })
  const { frontier } = await t.crawl([`${site.url}/`], { settings: { maxDepth: 2 } })
  expect([...frontier.read.keys()].map((url) => new URL(url).pathname)).toEqual(['/', '/1', '/2'])
  const only = await t.crawl([`${site.url}/`], { settings: { maxDepth: 0 } })
  expect(only.frontier.read.size).toBe(1)
})

test('crawl: only included paths are read, and excluded paths are not', async () => {
  const site = await t.site({
    '/': page('0', '/team/a', '/team/old/b', '/shop'),
    '/team/a': page('a', '/imprint'),
    '/team/old/b': page('b'),
  })
  const { frontier } = await t.crawl([`${site.url}/`], { settings: { include: ['/team'], exclude: ['/team/old'] } })
  expect([...frontier.read.keys()].map((url) => new URL(url).pathname)).toEqual(['/', '/team/a'])
})

test('crawl: a page with several URLs is read once, by canonical link, content or redirect', async () => {
  const site = await t.site({
    '/': page('Home', '/a?utm_source=x', '/a', '/a?sort=up', '/copy', '/old'),
    '/a': page('A page'),
    '/a?sort=up': `${page('A page, sorted')}<link rel="canonical" href="/a">`,
    '/copy': page('A page'),
    '/old': moved('/a'),
  })
  const { end, frontier } = await t.crawl([`${site.url}/`])
  expect(end).toEqual({ end: 'done', pagesRead: 2 })
  expect(site.paths().filter((path) => path === '/a')).toHaveLength(1)
  expect([...frontier.skipped.values()].map(({ reason }) => reason)).toEqual(['duplicate', 'duplicate', 'duplicate'])
})

test('crawl: redirects are followed within the site, but not in circles or to private addresses', async () => {
  const site = await t.site(
    {
      '/': page('Home', '/moved', '/circle', '/self', '/secret', '/cloud', '/away', '/closed'),
      '/robots.txt': 'User-agent: *\nDisallow: /closed-inside',
      '/moved': moved('/there'),
      '/there': page('There: found@firma-test.de'),
      '/circle': moved('/circle2'),
      '/circle2': moved('/circle'),
      '/self': moved('/self'),
      '/secret': moved('http://127.0.0.1:1/admin'),
      '/cloud': moved('http://[::ffff:169.254.169.254]/latest/'),
      '/away': moved('https://example.com/'),
      '/closed': moved('/closed-inside'),
    },
    // An endless chain.
    (request, response) => moved(`${request.url}x`)(request, response),
  )
  const { frontier } = await t.crawl([`${site.url}/`, `${site.url}/chain`])
  const reason = (path: string) => frontier.skipped.get(site.url + path)?.reason
  expect(frontier.findings).toMatchObject([{ value: 'found@firma-test.de', url: `${site.url}/there` }])
  expect(['/moved', '/circle', '/circle2', '/self'].map(reason)).toEqual([
    'duplicate',
    'duplicate',
    'duplicate',
    'error',
  ])
  expect(['/secret', '/cloud', '/away', '/closed-inside'].map(reason)).toEqual([
    'blocked',
    'blocked',
    'error',
    'robots',
  ])
  expect([...frontier.skipped.values()].filter((one) => /redirects endlessly/.test(one.text))).toHaveLength(1)
  expect(site.paths().filter((path) => path.startsWith('/chain')).length).toBeLessThan(15)
})

test('crawl: nofollow links, noindex pages and X-Robots-Tag are respected', async () => {
  const site = await t.site({
    '/': `${page('Home', '/hidden', '/header', '/other', '/none')}<a rel="nofollow" href="/nofollow">x</a>`,
    '/hidden': `<meta name="robots" content="noindex">${page('hidden@firma-test.de', '/behind')}`,
    '/behind': page('behind@firma-test.de'),
    '/header': (_, response) =>
      html(response.setHeader('x-robots-tag', 'postlark: noindex, nofollow'), page('header@firma-test.de', '/x')),
    '/other': (_, response) =>
      html(response.setHeader('x-robots-tag', 'googlebot: noindex, nofollow'), page('other@firma-test.de')),
    '/none': `<meta name="robots" content="none">${page('none@firma-test.de', '/y')}`,
  })
  const { frontier } = await t.crawl([`${site.url}/`])
  expect(frontier.findings.map(({ value }) => value).sort()).toEqual(['behind@firma-test.de', 'other@firma-test.de'])
  for (const path of ['/hidden', '/header', '/none'])
    expect(frontier.skipped.get(site.url + path)?.reason).toBe('robots')
  for (const path of ['/nofollow', '/x', '/y']) expect(site.paths()).not.toContain(path)
})

test('crawl: circular paths, calendars and repeating pages are recognized as traps and end', async () => {
  const site = await t.site(
    { '/': page('Home', 'deep/', '/calendar/2026/11/', '/endless?n=1', '/real'), '/real': page('real@firma-test.de') },
    (request, response) => {
      const path = request.url ?? ''
      const [, year = '', month = ''] = /calendar\/(\d+)\/(\d+)/.exec(path) ?? []
      const n = Number(/n=(\d+)/.exec(path)?.[1])
      if (year)
        html(
          response,
          page(`Month ${path}`, `/calendar/${Number(year) + 1}/${month}/`, `/calendar/${Number(year) - 1}/${month}/`),
        )
      else if (n) html(response, page(`Number ${n}`, `/endless?n=${n + 1}`))
      else html(response, page(`Deep ${path.length}`, 'deep/'))
    },
  )
  const { end, frontier } = await t.crawl([`${site.url}/`], { settings: { maxPages: 5_000, maxDepth: 1_000 } })
  expect(end.end).toBe('done')
  expect(frontier.findings).toHaveLength(1)
  expect(site.paths().filter((path) => path.includes('deep')).length).toBeLessThan(6)
  expect(site.paths().filter((path) => path.includes('calendar')).length).toBeLessThan(40)
  expect(site.paths().filter((path) => path.includes('endless')).length).toBeLessThan(340)
  expect(new Set([...frontier.skipped.values()].map(({ reason }) => reason))).toEqual(new Set(['trap']))
})

test('crawl: site maps add pages, packed or nested, where robots.txt allows it', async () => {
  const { gzipSync } = await import('node:zlib')
  const map = (...urls: string[]) =>
    `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
  const site = await t.site({
    '/robots.txt': (request, response) =>
      response.end(`Sitemap: http://${request.headers.host}/index.xml\nUser-agent: *\nDisallow: /no`),
    '/index.xml': (_, response) =>
      response
        .setHeader('content-type', 'application/xml')
        .end(
          '<sitemapindex><sitemap><loc>/one.xml.gz</loc></sitemap><sitemap><loc>/no/two.xml</loc></sitemap></sitemapindex>',
        ),
    '/one.xml.gz': (request, response) =>
      response
        .setHeader('content-type', 'application/gzip')
        .end(
          gzipSync(map(`http://${request.headers.host}/far?a=1&amp;b=2`, 'https://elsewhere.example/x', '/no/page')),
        ),
    '/': page('Home'),
    '/far?a=1&b=2': page('far@firma-test.de'),
  })
  const { frontier } = await t.crawl([`${site.url}/`])
  expect(frontier.findings).toMatchObject([{ value: 'far@firma-test.de' }])
  expect(frontier.skipped.get(`${site.url}/no/page`)?.reason).toBe('robots')
  expect(site.paths()).not.toContain('/no/two.xml')
  const small = await t.crawl([`${site.url}/`], { settings: { maxPages: 2 } })
  expect(small.end.pagesRead).toBe(1)
  expect(site.paths().filter((path) => path === '/index.xml')).toHaveLength(1)
})

test('crawl: a stopped crawl ends at once, stores what it read and can be resumed', async () => {
  const answering = new AbortController()
  const site = await t.site(
    { '/': page('Home', '/hangs', '/quick'), '/quick': page('quick@firma-test.de') },
    (request, response) => {
      if (request.url !== '/hangs') return html(response, page('late@firma-test.de'))
      const respond = () => html(response, page('late@firma-test.de'))
      if (answering.signal.aborted) respond()
      else answering.signal.addEventListener('abort', respond)
    },
  )
  const stop = new AbortController()
  const frontier = new MemoryFrontier([{ url: `${site.url}/`, depth: 0, priority: 0 }])
  frontier.settle = async (outcomes) => {
    await MemoryFrontier.prototype.settle.call(frontier, outcomes)
    if (frontier.read.has(`${site.url}/quick`)) stop.abort()
  }
  // The page that hangs would hold it for longer than this test may take.
  const crawler = { timeout: 600_000 }
  const { end } = await t.crawl([`${site.url}/`], { frontier, signal: stop.signal, crawler })
  expect(end).toEqual({ end: 'stopped', pagesRead: 2 })
  expect(frontier.findings.map(({ value }) => value)).toEqual(['quick@firma-test.de'])
  answering.abort()
  const again = new MemoryFrontier([{ url: `${site.url}/hangs`, depth: 1, priority: 1 }])
  const resumed = { pagesRead: 2, contentHashes: [], forgotten: [] }
  expect((await t.crawl([`${site.url}/`], { frontier: again, resumed, settings: { maxPages: 3 } })).end).toEqual({
    end: 'limit',
    pagesRead: 3,
  })
})

test('crawl: an error of the frontier ends the crawl with that error', async () => {
  const site = await t.site({ '/': page('Home') })
  const frontier = new MemoryFrontier([{ url: `${site.url}/`, depth: 0, priority: 0 }])
  frontier.settle = () => Promise.reject(new Error('the disk is full'))
  await expect(t.crawl([`${site.url}/`], { frontier })).rejects.toThrow('the disk is full')
})

test('crawl: outcomes are stored within seconds and in batches', async () => {
  const links = Array.from({ length: 300 }, (_, i) => `/p${i}`)
  const last = Promise.withResolvers<void>()
  const site = await t.site({ '/': page('Home', ...links) }, async (request, response) => {
    if (request.url === '/p299') await last.promise
    html(response, page(request.url ?? ''))
  })
  const frontier = new MemoryFrontier([{ url: `${site.url}/`, depth: 0, priority: 0 }])
  frontier.settle = async (outcomes) => {
    await MemoryFrontier.prototype.settle.call(frontier, outcomes)
    // What was read is stored while the crawl still waits for its last page.
    if (frontier.read.size === 300) last.resolve()
  }
  const crawler = { timeout: 600_000 }
  await t.crawl([`${site.url}/`], { frontier, settings: { maxPages: 1_000 }, crawler })
  expect(frontier.read.size).toBe(301)
  const seconds = ((frontier.settles.at(-1)?.at ?? 0) - (frontier.settles[0]?.at ?? 0)) / 1_000
  expect(frontier.settles.length).toBeLessThan(40 + seconds * 4)
})
