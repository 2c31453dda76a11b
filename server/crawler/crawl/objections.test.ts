import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { MemoryFrontier } from '../testing.ts'
import { FAST, page, testCrawls } from './testing.ts'

const t = testCrawls()
afterEach(() => t.end())

const TERMS = 'You may not collect e-mail addresses from this site by any means.'
const oneByOne = { pace: { ...FAST, atOnce: 1 } }

test('objection: a page that forbids collecting is skipped with its text, and the others are read', async () => {
  const reserved = (_: unknown, response: ServerResponse) =>
    void response
      .setHeader('content-type', 'text/html')
      .setHeader('tdm-reservation', '1')
      .end(page('reserved@firma-test.de'))
  const site = await t.site({
    '/': page('Home', '/a', '/b', '/c', '/d'),
    '/a': page('a@firma-test.de: please do not spam us'),
    '/b': page('b@firma-test.de'),
    '/c': reserved,
    '/d': `<meta name="tdm-reservation" content="1">${page('d@firma-test.de')}`,
  })
  const { frontier } = await t.crawl([`${site.url}/`])
  expect(frontier.findings.map(({ value }) => value)).toEqual(['b@firma-test.de'])
  expect(frontier.skipped.get(`${site.url}/a`)).toEqual({
    reason: 'notice',
    text: 'The site says: “a@firma-test.de: please do not spam us”',
  })
  for (const path of ['/c', '/d']) expect(frontier.skipped.get(site.url + path)?.text).toMatch(/tdm-reservation/)
  expect(frontier.forgotten).toEqual([])
})

test('objection: terms that forbid collecting discard all findings of the host, and of no other host', async () => {
  const forgotten = Promise.withResolvers<void>()
  const site = await t.site({
    '/': page('home@firma-test.de', '/terms', '/team', '/news'),
    '/terms': page(TERMS),
    // It was on its way already.
    '/team': (_, response) =>
      void forgotten.promise.then(() =>
        response.setHeader('content-type', 'text/html').end(page('team@firma-test.de', '/deeper')),
      ),
    '/news': page('news@firma-test.de'),
  })
  const other = await t.site({ '/': page('other@firma-test.de') })
  const urls = [`${site.url}/`, `${site.url}/terms`, `${other.url}/`]
  const frontier = new MemoryFrontier(urls.map((url) => ({ url, depth: 0, priority: 0 })))
  frontier.forget = async (host) => {
    await MemoryFrontier.prototype.forget.call(frontier, host)
    forgotten.resolve()
  }
  await t.crawl(urls, { frontier, crawler: oneByOne })
  expect(frontier.findings.map(({ value }) => value)).toEqual(['other@firma-test.de'])
  expect(frontier.forgotten).toEqual([site.host])
  for (const path of ['/terms', '/team', '/news'])
    expect(frontier.skipped.get(site.url + path)).toEqual({ reason: 'notice', text: `The site says: “${TERMS}”` })
  expect(site.paths()).not.toContain('/deeper')
})

test('objection: a host that forbade collecting in an earlier run is not requested again', async () => {
  const site = await t.site({ '/team': page('team@firma-test.de') })
  const frontier = new MemoryFrontier([{ url: `${site.url}/team`, depth: 1, priority: 0 }])
  const resumed = { pagesRead: 1, contentHashes: [], forgotten: [{ host: site.host, text: 'The site says no.' }] }
  await t.crawl([`${site.url}/`], { frontier, resumed })
  expect(frontier.skipped.get(`${site.url}/team`)).toEqual({ reason: 'notice', text: 'The site says no.' })
  expect(site.paths()).not.toContain('/team')
})
