import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime } from '#server/testing/processor-time.ts'
import { Hosts } from '../crawl/hosts.ts'
import { createFetcher } from '../fetch/fetcher.ts'
import { RobotsRules } from './asking.ts'
import { interpretRobots, readRobots } from './robots.ts'

const may = (robots: string, path: string) => readRobots(robots, 'postlark').allows(path)

test.each([
  ['User-agent: *\nDisallow: /private/', '/private/x', false],
  ['User-agent: *\nDisallow: /private/', '/public', true],
  ['User-agent: *\nDisallow:', '/anything', true],
  ['User-agent: *\nDisallow: /', '/robots.txt', true],
  // The most specific group counts, and only that.
  ['User-agent: *\nDisallow: /\n\nUser-agent: Postlark\nDisallow: /a', '/b', true],
  ['User-agent: POSTLARK/2.0\nDisallow: /a\n\nUser-agent: *\nAllow: /', '/a', false],
  ['User-agent: postlarkbot\nDisallow: /', '/a', true],
  // Groups of one name are merged, several names share a group.
  [
    'User-agent: postlark\nDisallow: /a\n\nUser-agent: other\nDisallow: /c\n\nUser-agent: postlark\nDisallow: /b',
    '/b',
    false,
  ],
  ['User-agent: other\nUser-agent: postlark\nDisallow: /a', '/a', false],
  // The longest match decides, Allow on a tie.
  ['User-agent: *\nDisallow: /private/\nAllow: /private/1', '/private/1', true],
  ['User-agent: *\nAllow: /p\nDisallow: /', '/page', true],
  ['User-agent: *\nDisallow: /page\nAllow: /page', '/page', true],
  ['User-agent: *\nAllow: /page\nDisallow: /*.htm', '/page.htm', false],
  // Wildcards and the end.
  ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf', false],
  ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf?x=1', true],
  ['User-agent: *\nDisallow: /a*b*c', '/axxbyyc', false],
  ['User-agent: *\nDisallow: /$', '/', false],
  ['User-agent: *\nDisallow: /$', '/x', true],
  ['User-agent: *\nDisallow: *?sid=', '/x?sid=1', false],
  // Encodings are compared, not spellings.
  ['User-agent: *\nDisallow: /caf%C3%A9', '/café', false],
  ['User-agent: *\nDisallow: /café', '/caf%c3%a9', false],
  ['User-agent: *\nDisallow: /%7Ejoe', '/~joe', false],
  ['User-agent: *\nDisallow: /a%2Fb', '/a/b', true],
  // As files are in the wild.
  ['\ufeffUser-agent: *\r\nDisallow: /a # not this\r\n', '/a', false],
  ['user-agent:*\rdisallow:/a', '/a', false],
  ['User-agent: *\nDissallow: /a', '/a', false],
  ['User-agent: *\n\n# a gap\n\nDisallow: /a', '/a', false],
  ['User-agent: *\nSitemap: https://x.de/s.xml\nDisallow: /a', '/a', false],
  ['Disallow: /a', '/a', true],
  ['<html>not a robots.txt</html>', '/a', true],
  ['User-agent: *\nDisallow: private', '/private', false],
])('robots.txt: for %j, whether %s may be fetched is %s', (robots, path, expected) => {
  expect(may(robots, path)).toBe(expected)
})

test('robots.txt: crawl delay and site maps are read', () => {
  const robots = readRobots(
    'Sitemap: https://x.de/a.xml\nUser-agent: postlark\nCrawl-delay: 2.5\nUser-agent: *\nCrawl-delay: 9\nSitemap: https://x.de/b.xml',
    'postlark',
  )
  expect([robots.crawlDelay, robots.sitemaps]).toEqual([2.5, ['https://x.de/a.xml', 'https://x.de/b.xml']])
})

test.each([
  [200, false],
  [404, true],
  [403, true],
  [410, true],
  [429, false],
  [500, false],
  [503, false],
  [undefined, false],
])('robots.txt: after status %s, whether a disallowed page may be fetched is %s', (status, expected) => {
  const response = status ? { status, text: 'User-agent: *\nDisallow: /a' } : undefined
  expect(interpretRobots(response, 'postlark').allows('/a')).toBe(expected)
  expect(interpretRobots(response, 'postlark').allows('/robots.txt')).toBe(true)
})

test('robots.txt: rules after the first 500 KiB are ignored', () => {
  expect(may(`User-agent: *\nDisallow: /a\n${'#'.repeat(600_000)}\nDisallow: /b`, '/b')).toBe(true)
})

test('robots.txt: any text is read without an error, and a hostile pattern in two seconds', () => {
  const lines = fc.constantFrom(
    'User-agent: *',
    'User-agent: postlark',
    'Disallow: /',
    'Allow: /a*b$',
    'Crawl-delay: x',
    ': :',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(lines, fc.string())), fc.webPath(), (parts, path) => {
      expect(typeof may(parts.join('\n'), path)).toBe('boolean')
    }),
  )
  const slow = () => may(`User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$`, `/${'a'.repeat(50_000)}b`)
  return expect(processorTime(slow)).resolves.toBeLessThan(2_000)
})

test('robots.txt: where rules are made to take long, nothing is fetched, and thousands of ordinary ones count', async () => {
  const slow = Array.from({ length: 950 }, (_, i) => `Disallow: *${'a'.repeat(250)}b${'a'.repeat(200)}${i}`)
  const robots = readRobots(['User-agent: *', 'Allow: /$', ...slow, 'Disallow: /b'].join('\n'), 'postlark')
  const ask = () => {
    for (let i = 0; i < 100; i++) expect(robots.allows(`/${'a'.repeat(1_940)}${i}`)).toBe(false)
  }
  expect(await processorTime(ask)).toBeLessThan(2_000)
  // Of a large shop, with paths of 200 characters.
  const shop = Array.from({ length: 4_000 }, (_, i) => `Disallow: /*?filter${i}=`)
  const rules = readRobots(['User-agent: *', ...shop].join('\n'), 'postlark')
  expect([rules.allows(`/${'x'.repeat(200)}`), rules.allows('/a?filter999=1')]).toEqual([true, false])
})

test('robots.txt: rules of other user agents take no memory, and lines made to be slow are read fast', () => {
  const large = `Disallow: /${'a'.repeat(500)}\n`.repeat(900)
  expect(readRobots(`User-agent: other\n${large}User-agent: *\nDisallow: /b`, 'postlark').size).toBeLessThan(200)
  const lines = [`a: x${' '.repeat(400_000)}y`, `${'#\u2028'.repeat(200_000)}`, ' '.repeat(400_000)]
  const read = () => {
    for (const line of lines) expect(may(`User-agent: *\n${line}\nDisallow: /b`, '/b')).toBe(false)
  }
  return expect(processorTime(read)).resolves.toBeLessThan(2_000)
})

test('robots.txt: rules are cached within 32 MB, those of recently requested sites first', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Encodings take the most work; these stay as they are.
  const text = `User-agent: *\n${`Disallow: /${'%2Fa'.repeat(6_000)}\n`.repeat(20)}`
  const servers = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const server = createServer((_, response) => response.setHeader('content-type', 'text/plain').end(text))
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return server
    }),
  )
  const hosts = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`)
  const fetcher = createFetcher(
    { allow: hosts, dnsServers: [] },
    { userAgent: 'x', timeout: 30_000, mostBytes: 1_000_000, connectionsPerHost: 1 },
  )
  const rules = new RobotsRules(fetcher, new Hosts())
  collect()
  const before = process.memoryUsage().heapUsed
  for (const host of hosts) expect((await rules.ask(`http://${host}`)).robots.allows('/~a')).toBe(true)
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 2 ** 20)
  const isKnown = hosts.map((host) => rules.known(`http://${host}`) !== undefined)
  expect([isKnown[0], isKnown.at(-1)]).toEqual([false, true])
  await fetcher.close()
  for (const server of servers) server.close()
})
