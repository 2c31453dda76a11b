import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { billing } from '#contracts/billing/billing.ts'
import { type CollectorResult, collector } from '#contracts/collector/collector.ts'
import { startSite } from '#server/crawler/testing.ts'
import { reserveQuotaUpTo } from '#server/features/billing/index.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { startNameServer } from '#server/testing/name-server.ts'
import { until } from '#server/testing/until.ts'
import { page, untilState } from '../testing.ts'

let t: TestApp
let site: Awaited<ReturnType<typeof startSite>>
let wide: Awaited<ReturnType<typeof startSite>>
let names: Awaited<ReturnType<typeof startNameServer>>
const WIDE = 30

beforeAll(async () => {
  site = await startSite({
    '/robots.txt': 'User-agent: *\nDisallow: /private/',
    '/': page('Home: info@firma-test.de', '/team', '/private/a', '/gone'),
    '/team': page('Team: <a href="mailto:ada@firma-test.de">Ada</a> and max@gmail.com'),
    '/domains': page(
      ['takes', 'itself', 'null', 'nobody', 'inside', 'broken', 'silent']
        .map((name) => `hello@${name}-test.de`)
        .join(' '),
    ),
    '/all-private': page('x', '/private/b'),
  })
  const pages = Array.from({ length: WIDE }, (_, n) => [`/p${n}`, page(`Number ${n}: person${n}@firma-test.de`)])
  const links = pages.map(([path]) => path as string)
  wide = await startSite({ '/': page('Home', ...links), ...Object.fromEntries(pages) })
  names = await startNameServer({
    'firma-test.de': { MX: [{ exchange: 'mx.firma-test.de', preference: 10 }] },
    'mx.firma-test.de': { A: ['93.184.216.34'] },
    'takes-test.de': { MX: [{ exchange: 'mx.firma-test.de', preference: 10 }] },
    'itself-test.de': { A: ['93.184.216.34'] },
    'null-test.de': { MX: [{ exchange: '.', preference: 0 }] },
    'inside-test.de': { MX: [{ exchange: 'mx.inside-test.de', preference: 5 }] },
    'mx.inside-test.de': { A: ['10.0.0.1'] },
    'broken-test.de': 'refuse',
    'silent-test.de': 'silent',
  })
  t = await testApp({
    environment: { COLLECTOR_ALLOW_PRIVATE: `${site.host},${wide.host}`, DNS_SERVERS: names.address },
  })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  site.close()
  wide.close()
  names.stop()
})

const begin = async (person: Person, url: string, kind: 'email' | 'phone' = 'email') =>
  (await person.api(collector.create, { body: { kind, urls: [url] } })).id

const fetchResults = async (person: Person, id: string) =>
  (await person.api(collector.results, { params: { id }, query: { sort: 'value' } })).items

test('crawl job: a site is crawled, and its findings and skipped pages are stored', async () => {
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
    { value: 'info@firma-test.de', sourceUrl: `${site.url}/`, valid: { role: true, free: false, mx: 'yes' } },
    { value: 'max@gmail.com', valid: { free: true, disposable: false, mx: 'no' } },
  ])
  const skips = await person.api(collector.skips, { params: { id: job.id }, query: {} })
  expect(skips.items).toMatchObject([
    { url: `${site.url}/private/a`, reason: 'robots' },
    { url: `${site.url}/gone`, reason: 'error' },
  ])
  expect(site.log[0]?.agent).toBe('Postlark/1.0 (+http://localhost:3000/bot)')
})

test('crawl job: a domain takes email by MX or its own address, and without a reply it is unknown', async () => {
  const person = await t.person()
  const id = await begin(person, `${site.url}/domains`)
  await untilState(person, id, ['done'])
  const states = (await fetchResults(person, id)).map(({ value, valid }) => [value.slice(6, -8), valid.mx])
  expect(Object.fromEntries(states)).toEqual({
    takes: 'yes',
    itself: 'yes',
    null: 'no',
    nobody: 'no',
    inside: 'no',
    broken: 'unknown',
    silent: 'unknown',
  })
  // Once a domain, however many ask.
  const again = await begin(person, `${site.url}/domains`)
  await untilState(person, again, ['done'])
  expect(names.asked.filter((question) => question === 'MX takes-test.de')).toHaveLength(1)
})

test('crawl job: an unreachable site fails with its reason, and a forbidden one ends as done', async () => {
  const person = await t.person()
  const gone = await untilState(person, await begin(person, `${site.url}/gone`), ['done', 'failed'])
  expect(gone).toMatchObject({ state: 'failed', pagesFetched: 0, skipped: { error: 1 } })
  expect(gone.stateText).toMatch(/^\S.*\.$/)
  const forbidden = await untilState(person, await begin(person, `${site.url}/private/`), ['done', 'failed'])
  expect(forbidden).toMatchObject({ state: 'done', skipped: { robots: 1 } })
})

test('crawl job: it pauses, resumes and stops, and only a stopped job can be deleted', async () => {
  const person = await t.person()
  const id = await begin(person, `${wide.url}/`)
  const read = (least: number) =>
    until(
      async () => (await person.api(collector.get, { params: { id } })).pagesFetched >= least,
      `${least} pages are read`,
    )
  await read(3)
  await expect(person.api(collector.remove, { params: { id } })).rejects.toMatchObject({ status: 409 })
  expect(await person.api(collector.pause, { params: { id } })).toMatchObject({ state: 'paused' })
  const { db } = t.services
  const leases = db.selectFrom('crawlJobs').where('id', '=', id).select(['worker'])
  await until(async () => (await leases.executeTakeFirstOrThrow()).worker === null, 'nobody works on it')
  const asked = wide.log.length
  // Had it gone on, it would have read while another site is read from its first page to its last.
  await untilState(person, await begin(person, `${site.url}/team`), ['done'])
  expect(wide.log.length).toBe(asked)
  const { pagesFetched, pagesQueued } = await person.api(collector.get, { params: { id } })
  expect(pagesQueued).toBe(WIDE + 1 - pagesFetched)
  expect(await person.api(collector.resume, { params: { id } })).toMatchObject({
    state: expect.stringMatching(/queued|running/),
  })
  await read(pagesFetched + 3)
  const stopped = await person.api(collector.stop, { params: { id } })
  expect(stopped).toMatchObject({ state: 'stopped', finishedAt: expect.any(String) })
  await expect(person.api(collector.resume, { params: { id } })).rejects.toMatchObject({ status: 409 })
  expect((await fetchResults(person, id)).length).toBeGreaterThanOrEqual(5)
  await person.api(collector.remove, { params: { id } })
  await expect(person.api(collector.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('crawl job: findings and progress are streamed live, and the stream ends with the job', async () => {
  const person = await t.person()
  const id = await begin(person, `${wide.url}/`)
  const response = await fetch(`${t.address}/api/collector/jobs/${id}/live`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  const moments: number[] = []
  const found: CollectorResult[] = []
  let last: { state: string } | undefined
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1] ?? 'null'
      if (event.startsWith('event: found')) found.push(JSON.parse(data))
      if (event.startsWith('event: found')) moments.push(Date.now())
      if (event.startsWith('event: progress')) last = JSON.parse(data)
    }
  }
  expect(last).toMatchObject({ state: 'done', found: WIDE, pagesQueued: 0 })
  expect(new Set(found.map(({ value }) => value)).size).toBe(WIDE)
  expect(found.at(-1)).toMatchObject({ kind: 'email', sourceUrl: expect.stringContaining(wide.host) })
  // One host takes some six seconds: they did not all come at the end.
  expect((moments.at(-1) ?? 0) - (moments[0] ?? 0)).toBeGreaterThan(2_000)
})

test('crawl job: the jobs of a suspended account are paused', async () => {
  const [person, boss] = [await t.person(), await t.person({ role: 'admin' })]
  const id = await begin(person, `${wide.url}/`)
  await boss.api(admin.changeUser, { params: { id: person.id }, body: { suspended: true } })
  const row = await t.services.db.selectFrom('crawlJobs').where('id', '=', id).selectAll().executeTakeFirst()
  expect(row).toMatchObject({ state: 'paused', stateText: expect.stringContaining('suspended') })
})

test('crawl job: it pauses when the pages of the month are used up, and resumes in the next month', async () => {
  const person = await t.person({ plan: 'starter' })
  const used = async () => (await person.api(billing.status)).usage.pages
  const { db } = t.services
  const taken = await db
    .transaction()
    .execute((db) => reserveQuotaUpTo(t.services, db, person.workspaceId, 'pages', 9_990))
  const id = await begin(person, `http://${wide.host}/`)
  const paused = await untilState(person, id, ['paused'])
  expect(paused.stateText).toMatch(
    /^Paused: all 10,000 web pages of this month are used, until 1 \w+ \d{4}\. The results are retained\./,
  )
  expect(paused.pagesFetched).toBeGreaterThanOrEqual(10)
  expect(paused.pagesFetched).toBeLessThan(WIDE + 1)
  expect(await used()).toBe(10_000)
  await expect(person.api(collector.resume, { params: { id } })).rejects.toMatchObject({ status: 402 })
  await expect(begin(person, `http://${wide.host}/`)).rejects.toMatchObject({ status: 402 })
  await t.sink.waitFor(({ raw }) => raw.includes('You have used all 10,000 web pages'))
  await taken.settle(db, 9_890)
  await person.api(collector.resume, { params: { id } })
  const done = await untilState(person, id, ['done'])
  expect(done.pagesFetched).toBe(WIDE + 1)
  expect(await used()).toBe(9_900 + WIDE + 1 - paused.pagesFetched)
  expect(await fetchResults(person, id)).toHaveLength(WIDE)
})

test('crawl job: a job that crashed its process five times fails, and the others continue', async () => {
  const person = await t.person()
  const ids = await Promise.all([begin(person, `${site.url}/team`), begin(person, `${site.url}/team`)])
  for (const id of ids) await untilState(person, id, ['done'])
  const [hopeless, suspect] = ids
  const killed = `update crawl_jobs set state = 'running', worker = 'gone', leased_until = now() - interval '1 minute',
    finished_at = null, failures = $2 where id = $1`
  await t.services.pool.query(killed, [suspect, 4])
  await t.services.pool.query(killed, [hopeless, 5])
  expect(await untilState(person, hopeless as string, ['failed'])).toMatchObject({
    stateText: expect.stringContaining('The results are retained'),
  })
  await untilState(person, suspect as string, ['done'])
  const other = await begin(person, `${site.url}/team`)
  await untilState(person, other, ['done'])
  const { rows } = await t.services.pool.query('select failures from crawl_jobs where id = $1', [other])
  expect(rows).toEqual([{ failures: expect.any(Number) }])
})
