import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAddresses } from './addresses.ts'

test('scraper input: URLs are separated by lines, commas, semicolons, tabs or spaces', () => {
  expect(
    readAddresses('bakery.example\nhttps://bikes.example/team, quay.example;http://a.example\tb.example c.example'),
  ).toEqual({
    urls: [
      'bakery.example',
      'https://bikes.example/team',
      'quay.example',
      'http://a.example',
      'b.example',
      'c.example',
    ],
    sites: 6,
    wrong: [],
    repeated: 0,
    over: 0,
  })
})

test('scraper input: entries that are no URLs are returned as written, with the words of a line together', () => {
  const { urls, wrong } = readAddresses(
    'our customers\nbakery.example\ninfo@bakery.example\nmailto:a@b.example, 3.5, 12',
  )
  expect(urls).toEqual(['bakery.example'])
  expect(wrong).toEqual(['our customers', 'info@bakery.example', 'mailto:a@b.example', '3.5', '12'])
})

test('scraper input: quotes, brackets and final punctuation are removed from a URL', () => {
  expect(readAddresses('"bakery.example", <https://bikes.example/>. (quay.example)').urls).toEqual([
    'bakery.example',
    'https://bikes.example/',
    'quay.example',
  ])
})

test('scraper input: a repeated URL counts once, and pages of one site count as one site', () => {
  const read = readAddresses('bakery.example\nhttps://BAKERY.example/\nwww.bakery.example/team\nbakery.example#top')
  expect(read).toMatchObject({ urls: ['bakery.example', 'www.bakery.example/team'], sites: 1, repeated: 2 })
})

test('scraper input: local hosts, ports and IP addresses are accepted for the server to check', () => {
  expect(readAddresses('127.0.0.1:4000 localhost:3000 http://[::1]:80/ intranet').urls).toEqual([
    '127.0.0.1:4000',
    'localhost:3000',
    'http://[::1]:80/',
  ])
})

test('scraper input: URLs after the first 10,000 are counted and not used', () => {
  const lines = Array.from({ length: 10_003 }, (_, index) => `site-${index}.example`)
  expect(readAddresses(lines.join('\n'))).toMatchObject({ sites: 10_000, over: 3 })
})

test('scraper input: any text is read without an error, and every entry is counted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const { urls, wrong, repeated } = readAddresses(text)
      expect(urls.length + repeated > 0 || wrong.length > 0).toBe(
        text
          .split(/[\r\n,;\t|]+/)
          .join('')
          .trim() !== '',
      )
    }),
  )
})
