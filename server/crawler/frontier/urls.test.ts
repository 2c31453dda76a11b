import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScope, isPrivateAddress, startPages } from './scope.ts'
import { canonicalUrl, findTrap, pagePriority } from './urls.ts'

test.each([
  ['https://Firma.DE:443/a?b=2&a=1#x', 'https://firma.de/a?a=1&b=2'],
  ['https://firma.de/a;jsessionid=1A2B?utm_source=x&id=3', 'https://firma.de/a?id=3'],
  [
    'https://firma.de/index.php?view=contact&format=html&id=3',
    'https://firma.de/index.php?format=html&id=3&view=contact',
  ],
  ['https://firma.de/?sid=12', 'https://firma.de/?sid=12'],
  ['https://firma.de/?sid=0a1b2c3d4e5f60718293', 'https://firma.de/'],
  ['https://firma.de//a///b', 'https://firma.de/a/b'],
  ['/kontakt', 'https://firma.de/kontakt'],
  ['?p=2', 'https://firma.de/news?p=2'],
  ['mailto:info@firma.de', undefined],
  ['javascript:void(0)', undefined],
  ['ftp://firma.de/', undefined],
  ['https://user:pass@firma.de/', undefined],
  ['https://', undefined],
])('urls: the canonical form of %s is %s', (href, expected) => {
  expect(canonicalUrl(href, 'https://firma.de/news')).toBe(expected)
})

test('urls: the canonical form of a canonical URL is the same', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const once = canonicalUrl(url)
      expect(once && canonicalUrl(once)).toBe(once)
      if (once) expect(['string', 'undefined']).toContain(typeof findTrap(once))
      if (once) expect([0, 1, 2]).toContain(pagePriority(once, ''))
    }),
  )
})

test.each([
  ['https://x.de/a/b/a/b/a/b', 'its path goes in circles'],
  ['https://x.de/x/x/x', 'its path goes in circles'],
  [`https://x.de/${'a/b'.repeat(800)}`, 'its address is too long'],
  ['https://x.de/photo.JPG', 'it is a file, not a page'],
  ['https://x.de/calendar/2093/04/', 'it is a page of a calendar'],
  ['https://x.de/events?month=1980-01', 'it is a page of a calendar'],
  ['https://x.de/s?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9', 'it has too many parameters'],
  ['https://x.de/wp-login.php', 'it is not a page with content'],
  ['https://x.de/2024/05/news', undefined],
  ['https://x.de/shop/item?id=5', undefined],
])('urls: the reason to skip %s as a trap is: %s', (url, reason) => {
  expect(findTrap(url)).toBe(reason)
})

test.each([
  ['https://www.firma.de/x', true],
  ['https://shop.firma.de/x', false],
  ['https://firma.de.evil.com/x', false],
  ['https://firma.de/intern/x', false],
])('urls: whether %s belongs to the crawl job is %s', (url, expected) => {
  const scope = createScope({ hosts: ['firma.de'], subdomains: false, include: [], exclude: ['/intern'] })
  expect(scope.has(url)).toBe(expected)
})

test('urls: subdomains and paths of the settings decide which URLs belong to the crawl job', () => {
  const scope = createScope({ hosts: ['www.firma.de'], subdomains: true, include: ['/team'], exclude: [] })
  expect(scope.has('https://shop.firma.de/team/a')).toBe(true)
  expect(scope.has('https://firma.de/other')).toBe(false)
  expect(scope.has('https://notfirma.de/team')).toBe(false)
})

test('urls: contact pages have the highest priority', () => {
  expect(pagePriority('https://x.de/impressum', '')).toBe(0)
  expect(pagePriority('https://x.de/p/17', 'Contact us')).toBe(0)
  expect(pagePriority('https://x.de/news', '')).toBe(1)
  expect(pagePriority('https://x.de/a/b/c', '')).toBe(2)
})

test('urls: start URLs may have no scheme, spaces, capitals or an allowed port', () => {
  const { pages, hosts, refused } = startPages(
    [
      'example.com',
      ' https://example.com/ ',
      'HTTP://Example.com/team',
      '127.0.0.1:8080/x',
      'intranet.example.com:8443',
    ],
    { allow: ['127.0.0.1:8080', 'intranet.example.com:8443'] },
  )
  expect(pages.map(({ url }) => url)).toEqual([
    'https://example.com/',
    'http://example.com/team',
    'https://127.0.0.1:8080/x',
    'https://intranet.example.com:8443/',
  ])
  expect(hosts).toEqual(['example.com', '127.0.0.1:8080', 'intranet.example.com:8443'])
  expect(refused).toEqual([])
})

test.each([
  ['hello world', /not a web address/],
  ['hello', /not a web address/],
  ['', /not a web address/],
  ['https://', /not a web address/],
  ['mailto:a@example.com', /http:\/\/ or https:\/\//],
  ['ftp://example.com/', /http:\/\/ or https:\/\//],
  ['https://user:secret@example.com/', /name or password/],
  ['http://127.0.0.1/', /isn’t public/],
  ['http://2130706433/', /isn’t public/],
  ['http://0x7f.1/', /isn’t public/],
  ['http://017700000001/', /isn’t public/],
  ['http://127.1', /isn’t public/],
  ['http://[::1]/', /isn’t public/],
  ['http://[::ffff:10.0.0.1]/', /isn’t public/],
  ['http://[64:ff9b::7f00:1]/', /isn’t public/],
  ['http://169.254.169.254/latest/meta-data', /isn’t public/],
  ['http://localhost:3000', /isn’t public/],
  ['localhost', /isn’t public/],
  ['http://printer.local/', /isn’t public/],
  ['http://intranet/', /not a public name/],
  ['https://example.com:8443/', /names port 8443/],
  ['https://example.com/photo.jpg', /a file, not a page/],
])('urls: %s is refused as a start URL: %s', (url, reason) => {
  const { pages, refused } = startPages([url], { allow: [] })
  expect(pages).toEqual([])
  expect(refused).toEqual([{ url, reason: expect.stringMatching(reason) }])
})

test.each(['http://127.1', 'http://[::ffff:10.0.0.1]/', 'http://[64:ff9b::7f00:1]/', 'http://printer.local./'])(
  'urls: the private address %s is refused unless it is on the allow list',
  (url) => {
    expect(isPrivateAddress(url, { allow: [] })).toBe(true)
    expect(isPrivateAddress(url, { allow: [new URL(url).host] })).toBe(false)
    expect(isPrivateAddress('https://example.com/', { allow: [] })).toBe(false)
  },
)
