import { request } from 'node:http'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { CHROME, GMAIL, sentCampaign, YAHOO } from './testing.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await sharedApp()
  person = await t.person()
})

type Headers = Record<string, string>
interface Got {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  rawPayload: Buffer
  body: string
}

/** Over a real connection; fetch would add headers of its own. */
function get(path: string, userAgent: string | null = CHROME, headers: Headers = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${t.address}${path}`,
      { method, headers: { ...(userAgent !== null && { 'user-agent': userAgent }), ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            statusCode: response.statusCode ?? 0,
            headers: response.headers,
            rawPayload: Buffer.concat(chunks),
            body: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    asked.on('error', reject).end()
  })
}
const stats = (id: string) => person.api(campaigns.stats, { params: { id } })
const eventCount = async () =>
  Number(
    (
      await t.services.db
        .selectFrom('events')
        .select((e) => e.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

test('tracking: the pixel is an uncached GIF for any token, and a valid one stores an open', async () => {
  const sent = await sentCampaign(t.services, person)
  const good = await get(`/t/o/${sent.tokens.sign('open', sent.messages[0]?.id ?? '')}`)
  const bad = await get('/t/o/nonsense')
  for (const result of [good, bad]) {
    expect([result.statusCode, result.headers['content-type'], result.rawPayload.length]).toEqual([
      200,
      'image/gif',
      43,
    ])
    expect(result.rawPayload.subarray(0, 6).toString()).toBe('GIF89a')
    expect(result.headers['cache-control']).toContain('no-store')
    expect(result.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(result.headers['set-cookie']).toBeUndefined()
  }
  expect((await stats(sent.id)).opens).toEqual({ total: 1, unique: 1, human: 1, machine: 0 })
})

test('tracking: the routes behind a proxy respond like the direct ones', async () => {
  const sent = await sentCampaign(t.services, person)
  const id = sent.messages[0]?.id ?? ''
  for (const [path, status] of [
    [`/t/o/${sent.tokens.sign('open', id)}`, 200],
    [`/t/c/${sent.tokens.sign('click', id, 0)}`, 302],
    ['/t/c/x', 404],
    ['/t/o/x', 200],
  ] as const) {
    const [direct, routed] = [
      await get(path),
      await t.inject({ method: 'GET', url: path, headers: { 'user-agent': CHROME } }),
    ]
    expect([routed.statusCode, routed.body]).toEqual([status, direct.body])
    for (const [name, value] of Object.entries(direct.headers)) {
      if (!['date', 'connection', 'keep-alive'].includes(name))
        expect([name, routed.headers[name]?.toString()]).toEqual([name, value])
    }
  }
  const { opens, clicks } = await stats(sent.id)
  expect([opens.human, clicks.human]).toEqual([2, 2])
})

test('tracking: HEAD responds like GET and counts nothing', async () => {
  const sent = await sentCampaign(t.services, person)
  const id = sent.messages[0]?.id ?? ''
  const before = await eventCount()
  expect((await get(`/t/o/${sent.tokens.sign('open', id)}`, CHROME, {}, 'HEAD')).headers['content-type']).toBe(
    'image/gif',
  )
  const click = await get(`/t/c/${sent.tokens.sign('click', id, 0)}`, CHROME, {}, 'HEAD')
  expect([click.statusCode, click.headers.location]).toEqual([302, 'https://example.com/one'])
  expect((await get(`/v/${sent.tokens.sign('view', id)}`, CHROME, {}, 'HEAD')).statusCode).toBe(200)
  expect(await eventCount()).toBe(before)
})

test("tracking: a click leads to the stored URL with the recipient's fields and no referrer", async () => {
  const sent = await sentCampaign(t.services, person)
  const { id = '', address } = sent.messages[1] ?? {}
  const plain = await get(`/t/c/${sent.tokens.sign('click', id, 1)}`)
  expect([plain.statusCode, plain.headers.location]).toEqual([302, 'https://example.com/two'])
  expect(plain.headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': expect.stringContaining('no-store'),
  })
  const personal = await get(`/t/c/${sent.tokens.sign('click', id, 4)}`)
  expect(personal.headers.location).toBe(`https://example.com/me?email=${encodeURIComponent(address ?? '')}`)
  const { clicks, links } = await stats(sent.id)
  expect(links.map((link) => link.url)).toContain('https://example.com/me?email={{ email }}')
  expect(clicks).toEqual({ total: 2, unique: 1, human: 2, machine: 0 })
  expect(links.slice(0, 3).map((link) => [link.clicks, link.unique])).toEqual([
    [1, 1],
    [1, 1],
    [0, 0],
  ])
})

test('tracking: a token stores at most fifty rows of a kind, and every request counts', async () => {
  const sent = await sentCampaign(t.services, person)
  const id = sent.messages[0]?.id ?? ''
  const open = `/t/o/${sent.tokens.sign('open', id)}`
  const click = `/t/c/${sent.tokens.sign('click', id, 0)}`
  for (let i = 0; i < 120; i++) {
    await get(open)
    expect((await get(click)).headers.location).toBe('https://example.com/one')
  }
  const rows = (kind: string) =>
    t.services.pool.query(
      'select count(*)::int as n, sum(times)::int as times from events where message_id = $1 and kind = $2',
      [id, kind],
    )
  expect((await rows('open')).rows).toEqual([{ n: 50, times: 120 }])
  expect((await rows('click')).rows).toEqual([{ n: 50, times: 120 }])
  const { opens, clicks, links } = await stats(sent.id)
  expect([opens.total, opens.unique, clicks.total, clicks.unique]).toEqual([120, 1, 120, 1])
  expect(links.find(({ url }) => url === 'https://example.com/one')?.clicks).toBe(120)
  // Another message of the campaign has rows of its own.
  await get(`/t/o/${sent.tokens.sign('open', sent.messages[1]?.id ?? '')}`)
  expect((await stats(sent.id)).opens).toMatchObject({ total: 121, unique: 2 })
})

test('tracking: links still work after the campaign is removed', async () => {
  const sent = await sentCampaign(t.services, person)
  await person.api(campaigns.remove, { params: { id: sent.id } })
  expect((await get(`/t/c/${sent.tokens.sign('click', sent.messages[0]?.id ?? '', 0)}`)).headers.location).toBe(
    'https://example.com/one',
  )
  await expect(stats(sent.id)).rejects.toMatchObject({ status: 404 })
})

test('tracking: a stored text that is no web URL is not redirected to', async () => {
  const sent = await sentCampaign(t.services, person)
  const bad = [
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.com',
    'https://user:pw@example.com/',
    'https://example.com/{{ name',
    '',
  ]
  await t.services.db
    .insertInto('campaignLinks')
    .values(bad.map((url, i) => ({ workspaceId: person.workspaceId, campaignId: sent.id, link: 100 + i, url })))
    .execute()
  for (const i of bad.keys()) {
    const result = await get(`/t/c/${sent.tokens.sign('click', sent.messages[0]?.id ?? '', 100 + i)}`)
    expect([result.statusCode, result.headers.location]).toEqual([404, undefined])
  }
})

test('tracking: a changed token or one of another purpose gets 404 and counts nothing', async () => {
  const sent = await sentCampaign(t.services, person)
  const id = sent.messages[0]?.id ?? ''
  const before = await eventCount()
  const token = sent.tokens.sign('click', id, 0)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const changes = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom(...alphabet))
    .filter(([at, char]) => token[at] !== char)
  await fc.assert(
    fc.asyncProperty(changes, async ([at, char]) => {
      const forged = token.slice(0, at) + char + token.slice(at + 1)
      const result = await get(`/t/c/${forged}`)
      expect([result.statusCode, result.headers.location]).toEqual([404, undefined])
      expect((await get(`/u/${forged}`)).statusCode).toBe(404)
      expect((await t.inject({ method: 'POST', url: `/u/${forged}` })).statusCode).toBe(404)
      expect((await get(`/v/${forged}`)).statusCode).toBe(404)
      expect((await get(`/t/o/${forged}`)).statusCode).toBe(200)
    }),
    // The unit tests of tokens change every character: this is about the routes.
    { numRuns: 30 },
  )
  for (const purpose of ['open', 'view', 'unsubscribe', 'message'] as const)
    expect((await get(`/t/c/${sent.tokens.sign(purpose, id)}`)).statusCode).toBe(404)
  await get(`/t/o/${sent.tokens.sign('click', id, 0)}`)
  const unknown = [sent.tokens.sign('click', '999999999999', 0), sent.tokens.sign('click', id, 99)]
  for (const forged of [...unknown, 'x', '%00', 'a'.repeat(400), token + token])
    expect((await get(`/t/c/${forged}`)).statusCode).toBe(404)
  expect(await eventCount()).toBe(before)
})

test('tracking: opens of machines and humans are counted separately', async () => {
  const sent = await sentCampaign(t.services, person, { people: 6 })
  const open = (n: number, agent: string | null, headers: Headers = {}) =>
    get(`/t/o/${sent.tokens.sign('open', sent.messages[n]?.id ?? '')}`, agent, headers)
  await open(0, GMAIL)
  await open(0, GMAIL)
  await open(1, YAHOO)
  await open(2, 'Mozilla/5.0')
  await open(3, null)
  await open(4, CHROME, { 'sec-purpose': 'prefetch;anonymous-client-ip' })
  await open(5, CHROME)
  const { opens, rates, clients, timeline, accepted, delivered, unsubscribes, complaints } = await stats(sent.id)
  expect(opens).toEqual({ total: 7, unique: 3, human: 4, machine: 3 })
  // Without a bounce source nobody knows whether they arrived.
  expect([accepted, delivered]).toEqual([6, null])
  expect(rates).toEqual({ open: 0.5, click: 0, clickToOpen: 0, bounce: null, unsubscribe: 0, complaint: null })
  // Unsubscribing happens here; of complaints no source tells.
  expect([unsubscribes, complaints]).toEqual([0, null])
  expect(clients).toEqual([
    { name: 'Gmail', opens: 2 },
    { name: 'Web mail in Chrome', opens: 1 },
    { name: 'Yahoo Mail', opens: 1 },
  ])
  expect(timeline.reduce((sum, bucket) => sum + bucket.opens, 0)).toBe(4)
  expect(timeline.reduce((sum, bucket) => sum + bucket.machine, 0)).toBe(3)
  const steps = timeline.slice(1).map((bucket, i) => Date.parse(bucket.at) - Date.parse(timeline[i]?.at ?? ''))
  expect(new Set(steps)).toEqual(new Set([300_000]))
})

test('tracking: a scanner that follows every link turns its earlier clicks into machine traffic', async () => {
  const sent = await sentCampaign(t.services, person)
  const click = (n: number, link: number) => get(`/t/c/${sent.tokens.sign('click', sent.messages[n]?.id ?? '', link)}`)
  await click(0, 0)
  await click(1, 0)
  await click(1, 1)
  expect((await stats(sent.id)).clicks).toMatchObject({ human: 3, machine: 0 })
  await Promise.all([click(1, 2), click(1, 3)])
  expect((await stats(sent.id)).clicks).toEqual({ total: 5, unique: 1, human: 1, machine: 4 })
})

test('tracking: the web view shows the email to its recipient, runs no script and is no open', async () => {
  const html =
    '<html><body><p>Hello {{ name }}</p><script>alert(1)</script><img src="https://example.com/a.png" alt=""><a href="https://example.com/one">one</a></body></html>'
  const sent = await sentCampaign(t.services, person, { html })
  const id = sent.messages[0]?.id ?? ''
  const result = await get(`/v/${sent.tokens.sign('view', id)}`)
  expect(result.statusCode).toBe(200)
  expect(result.body).toContain('Hello Person 1')
  expect(result.body).not.toContain('/t/o/')
  expect(result.headers['content-security-policy']).toMatch(/^sandbox (?!.*allow-scripts)/)
  expect(result.headers['x-robots-tag']).toContain('noindex')
  const { opens, clicks } = await stats(sent.id)
  expect([opens.total, clicks.total]).toEqual([0, 0])
  const { items } = await person.api(campaigns.messageEvents, { params: { id: sent.id, messageId: id } })
  expect(items.map((item) => item.kind).sort()).toEqual(['queued', 'sent', 'view'])
})

test('tracking: other workspaces get 404, and unknown rates are null', async () => {
  const sent = await sentCampaign(t.services, person, { sentSecondsAgo: null, trackOpens: false })
  expect((await stats(sent.id)).rates).toEqual({
    open: null,
    click: null,
    clickToOpen: null,
    bounce: null,
    unsubscribe: null,
    complaint: null,
  })
  const other = await t.person()
  await expect(other.api(campaigns.stats, { params: { id: sent.id } })).rejects.toMatchObject({ status: 404 })
  const params = { id: sent.id, messageId: sent.messages[0]?.id ?? '' }
  await expect(other.api(campaigns.messageEvents, { params })).rejects.toMatchObject({ status: 404 })
})

test('tracking: the events of a message are listed up to the click', async () => {
  const sent = await sentCampaign(t.services, person)
  const id = sent.messages[0]?.id ?? ''
  await get(`/t/o/${sent.tokens.sign('open', id)}`, GMAIL)
  await get(`/t/c/${sent.tokens.sign('click', id, 0)}`)
  const { items } = await person.api(campaigns.messageEvents, { params: { id: sent.id, messageId: id } })
  expect(items.slice(-2)).toMatchObject([
    { kind: 'open', class: 'human', detail: 'Gmail', reason: expect.stringContaining('proxy') },
    { kind: 'click', class: 'human', detail: 'https://example.com/one' },
  ])
})
