import { afterAll, beforeAll, expect, test } from 'vitest'
import { collector } from '#contracts/collector.ts'
import { startSite } from '#server/crawler/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { page, untilState } from './testing.ts'

let t: TestApp
let site: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => {
  site = await startSite({
    '/robots.txt': 'User-agent: *\nDisallow: /private/',
    '/': page('Home: info@firma-test.de', '/team', '/private/a', '/gone'),
    '/team': page('Team: <a href="mailto:ada@firma-test.de">Ada</a> and max@gmail.com'),
  })
  t = await testApp({ environment: { COLLECTOR_ALLOW_PRIVATE: site.host, DNS_SERVERS: '127.0.0.1:9' } })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  site.close()
})

test('a site is read, its addresses are kept with where they stood, and what was not read is told', async () => {
  const person = await t.person()
  const begun = await person.api(collector.create, { body: { kind: 'email', urls: [`${site.url}/`] } })
  expect(begun).toMatchObject({ state: 'queued', pagesQueued: 1, refused: [] })
  const job = await untilState(person, begun.id, ['done', 'failed'])
  expect(job).toMatchObject({ state: 'done', stateText: '', pagesFetched: 2, pagesQueued: 0, found: 3 })
  expect(job.skipped).toMatchObject({ robots: 1, error: 1 })
  const { items, total } = await person.api(collector.results, { params: { id: job.id }, query: { sort: 'value' } })
  expect(total).toBe(3)
  expect(items).toMatchObject([
    { value: 'ada@firma-test.de', sourceUrl: `${site.url}/team`, kind: 'email', valid: { syntax: true, role: false } },
    { value: 'info@firma-test.de', sourceUrl: `${site.url}/`, valid: { role: true, free: false, mx: 'unknown' } },
    { value: 'max@gmail.com', valid: { free: true, disposable: false } },
  ])
  const skips = await person.api(collector.skips, { params: { id: job.id }, query: {} })
  expect(skips.items).toMatchObject([
    { url: `${site.url}/private/a`, reason: 'robots' },
    { url: `${site.url}/gone`, reason: 'error' },
  ])
  expect(site.log[0]?.agent).toBe('Postlark/1.0 (+http://localhost:3000/bot)')
})
