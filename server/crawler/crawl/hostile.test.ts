import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { watchEventLoop } from '#server/testing/processor-time.ts'
import { MemoryFrontier } from '../testing.ts'
import { page, testCrawls } from './testing.ts'

const t = testCrawls()
afterEach(() => t.end())

const html = (response: ServerResponse) => response.setHeader('content-type', 'text/html')
const pour = (response: ServerResponse) => {
  const write = () => {
    while (!response.destroyed && response.write('<p>more and more</p>'.repeat(1_000)));
    response.once('drain', write)
  }
  write()
}

const bomb = gzipSync(Buffer.alloc(100_000_000))
const SENT = '/huge /endless /bomb /garbage /picture /cut /gone /fault /lies /good'.split(' ')

test('crawl: a broken or endless page gets a reason, and the other pages are read', async () => {
  const site = await t.site({
    '/': page('Home', ...SENT),
    // It says 5 GB.
    '/huge': (_, response) => {
      html(response).setHeader('content-length', 5_000_000_000).write('<p>huge@firma-test.de</p>')
      pour(response)
    },
    '/endless': (_, response) => {
      html(response).write('<p>endless@firma-test.de</p>')
      pour(response)
    },
    '/bomb': (_, response) => html(response).setHeader('content-encoding', 'gzip').end(bomb),
    '/garbage': (_, response) => html(response).setHeader('content-encoding', 'gzip').end('this is not gzip'),
    '/picture': (_, response) => response.setHeader('content-type', 'image/png').end('png'),
    '/cut': (_, response) => {
      html(response).setHeader('content-length', 10_000).write('<p>cut@firma-test.de</p>')
      setTimeout(() => response.destroy(), 50)
    },
    '/fault': (_, response) => void response.writeHead(500).end(),
    '/lies': (_, response) =>
      response
        .setHeader('content-type', 'text/html; charset=utf-16')
        .end(Buffer.from('<p>gr\xfc\xdfe: lies@firma-test.de</p>', 'latin1')),
    '/good': page('good@firma-test.de'),
  })
  const { end, frontier } = await t.crawl([`${site.url}/`], { crawler: { timeout: 10_000, mostBytes: 1_000_000 } })
  expect(end.end).toBe('done')
  expect(frontier.findings.map(({ value }) => value).sort()).toEqual([
    'cut@firma-test.de',
    'endless@firma-test.de',
    'good@firma-test.de',
    'huge@firma-test.de',
    'lies@firma-test.de',
  ])
  const told = Object.fromEntries(
    [...frontier.skipped].map(([url, { reason, text }]) => [new URL(url).pathname, `${reason}: ${text}`]),
  )
  expect(told).toEqual({
    '/garbage': 'error: The content of the page could not be decompressed.',
    '/picture': 'error: It is not a page but image/png.',
    '/gone': 'error: There is no such page (404).',
    '/fault': 'error: The server has an error (500).',
  })
})

test('crawl: a page that never comes gets a reason, and the other pages are read', async () => {
  const site = await t.site({
    '/': page('Home', '/never', '/good'),
    '/never': () => undefined,
    '/good': page('good@firma-test.de'),
  })
  const { end, frontier } = await t.crawl([`${site.url}/`], { crawler: { timeout: 3_000 } })
  expect(end.end).toBe('done')
  expect(frontier.findings.map(({ value }) => value)).toEqual(['good@firma-test.de'])
  expect(Object.fromEntries(frontier.skipped)).toEqual({
    [`${site.url}/never`]: { reason: 'error', text: 'The site did not respond in time.' },
  })
})

test('crawl: a site that is down gets a reason, and the other sites are read', async () => {
  const closed: Server = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const good = await t.site({ '/': page('good@firma-test.de') })
  const down = `http://127.0.0.1:${port}/`
  const { frontier } = await t.crawl([down, `${good.url}/`])
  expect(frontier.findings).toHaveLength(1)
  expect(frontier.skipped.get(down)).toEqual({ reason: 'error', text: 'The site refuses connections.' })
})

test.each([
  'http://127.0.0.1:9/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data/',
  // A name that leads here.
  'http://localhost:9/',
])('crawl: the private address %s is not requested', async (url) => {
  const address = new URL(url).href
  const good = await t.site({ '/': page('good@firma-test.de') })
  const frontier = new MemoryFrontier([address, `${good.url}/`].map((url) => ({ url, depth: 0, priority: 0 })))
  await t.crawl([`${good.url}/`], { frontier, settings: { hosts: [good.host, new URL(url).host] } })
  expect(frontier.skipped.get(address)).toMatchObject({
    reason: 'blocked',
    text: expect.stringMatching(/isn’t public/),
  })
  expect(frontier.findings).toHaveLength(1)
})

/** The crawler reads 2 MB of a page; what grows with the square takes minutes for a quarter of it as well. */
const PART = isLong ? 1 : 4
const HOSTILE: [string, string][] = [
  ['signs', '@'.repeat(2_000_000 / PART)],
  ['word characters', 'a'.repeat(2_000_000 / PART)],
  ['words with dots', 'a.'.repeat(1_000_000 / PART)],
  ['addresses', 'a@b.de '.repeat(280_000 / PART)],
  ['signs in words', 'a (at) b (dot) '.repeat(130_000 / PART)],
  ['open brackets', '[{(<'.repeat(500_000 / PART)],
  ['digits', '1 '.repeat(1_000_000 / PART)],
  ['numbers', '+49 30 23125 123 '.repeat(110_000 / PART)],
  ['deep nesting', '<div>'.repeat(400_000 / PART)],
  ['deep nesting of what hides', '<div style="display:none">'.repeat(77_000 / PART)],
  ['attributes', `<p ${'data-a="b@c.de" '.repeat(120_000 / PART)}>`],
  ['links', '<a href="/x?@">a</a>'.repeat(100_000 / PART)],
  ['entities', '&#64;'.repeat(400_000 / PART)],
  ['scripts', `<script>${'"a" + '.repeat(330_000 / PART)}</script>`],
  ['style sheets', `<style>${'.a::before{content:"@"}'.repeat(80_000 / PART)}</style><p class=a>`],
  ['comments', `<!-- ${'mailto at '.repeat(190_000 / PART)} -->`],
  ['JSON-LD', `<script type="application/ld+json">${'[{"a":'.repeat(330_000 / PART)}</script>`],
  ['notices', 'you may not harvest '.repeat(100_000 / PART)],
  ['metas', '<meta http-equiv="refresh" '.repeat(74_000 / PART)],
  ['frames', '<iframe '.repeat(240_000 / PART)],
]

test(`crawl: hostile pages of ${2 / PART} MB are read or skipped without blocking the process`, async () => {
  const site = await t.site({
    '/': page('Home', ...HOSTILE.map((_, i) => `/h${i}`)),
    ...Object.fromEntries(HOSTILE.map(([, text], i) => [`/h${i}`, text])),
  })
  const stopWatching = watchEventLoop()
  const { end, frontier } = await t.crawl([`${site.url}/`])
  const longest = stopWatching()
  expect(end.end).toBe('done')
  expect(
    HOSTILE.filter((_, i) => [frontier.read, frontier.skipped].every((all) => !all.has(`${site.url}/h${i}`))),
  ).toEqual([])
  // In milliseconds; all of these pages together take seconds, elsewhere.
  expect(longest).toBeLessThan(1_000)
}, 300_000)
