import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { tablesWith } from '#server/testing/whole-workspace.ts'
import { describeDevice } from '../sign-in/device.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

async function readArchive(response: Response): Promise<Record<string, string>> {
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
}

const exported = async (person: Person) => readArchive(await person.api(accounts.export))
const parseRows = (files: Record<string, string>, name: string) => JSON.parse(files[`${name}.json`] ?? 'null')

test('account export: it has all data of the workspace as JSON, and none of another', async () => {
  const [person, other] = [await t.person({ name: 'Ada' }), await t.person({ name: 'Stranger 4711' })]
  await listWith(t.services, other, 3, (n) => `stranger4711.${n}@example.com`)
  // Several pages, the last one full.
  const listId = await listWith(t.services, person, 4_000, (n) => `p${n}@example.com`)
  const readers = await listWith(t.services, person, 2, (n) => `reader${n}@example.com`)
  const { id } = await draftTo(person, readers, { name: 'News “quoted” \\u' })
  await person.api(campaigns.send, { params: { id }, body: {} })
  await untilState(person, id, ['sent'])
  const { db } = t.services
  const message = await db.selectFrom('messages').where('campaignId', '=', id).selectAll().executeTakeFirstOrThrow()
  const event = { workspaceId: person.workspaceId, campaignId: id, messageId: message.id, kind: 'open', class: 'human' }
  // More than a page at one moment of one message.
  await db
    .insertInto('events')
    .values(Array.from({ length: 4_001 }, () => event))
    .execute()
  await person.api(contacts.create, { body: { email: 'attributes@example.com', attributes: { 'First name': 'Ada' } } })
  await person.api(suppressions.create, { body: { address: 'gone@example.com' } })
  await person.api(templates.create, { body: { name: 'Email', html: '<p>Hello</p>' } })

  const files = await exported(person)
  expect(parseRows(files, 'account')).toMatchObject({
    name: 'Ada',
    email: person.email,
    sessions: [{ userAgent: 'node' }],
  })
  const people = parseRows(files, 'contacts')
  expect(people).toHaveLength(4_003)
  expect(new Set(people.map((row: { id: string }) => row.id)).size).toBe(4_003)
  expect(people.at(-1)).toMatchObject({ email: 'attributes@example.com', attributes: { 'First name': 'Ada' } })
  const members = parseRows(files, 'list-members')
  expect(members.filter((row: { listId: string }) => row.listId === listId)).toHaveLength(4_000)
  expect(parseRows(files, 'lists')).toMatchObject([{ id: listId }, { id: readers, optin: 'single' }])
  expect(parseRows(files, 'campaigns')).toMatchObject([{ id, name: 'News “quoted” \\u', listIds: [readers] }])
  expect(parseRows(files, 'campaigns')[0].links).toContain('https://example.com/about')
  expect(parseRows(files, 'messages').map((row: { state: string }) => row.state)).toEqual(['sent', 'sent'])
  const events = parseRows(files, 'events')
  expect(new Set(events.map((row: { id: string }) => row.id)).size).toBe(4_001)
  expect(events).toHaveLength(4_001)
  expect(parseRows(files, 'suppressions')).toMatchObject([{ address: 'gone@example.com', reason: 'manual' }])
  expect(parseRows(files, 'templates')).toMatchObject([{ name: 'Email', html: '<p>Hello</p>' }])
  expect(parseRows(files, 'senders')).toMatchObject([{ isDefault: true }])
  expect(JSON.stringify(files)).not.toMatch(/stranger.?4711/i)
})

test('account export: passwords, hashes and tokens are not included', async () => {
  const person = await t.person()
  await person.api(senders.create, {
    body: { host: 'mail.invalid', port: 587, user: 'ada', password: 'swordfish 4711', fromEmail: 'ada@example.com' },
  })
  const { db } = t.services
  const sender = await db
    .selectFrom('senders')
    .where('workspaceId', '=', person.workspaceId)
    .where('host', 'is not', null)
    .selectAll()
    .executeTakeFirstOrThrow()
  const user = await db.selectFrom('users').where('id', '=', person.id).selectAll().executeTakeFirstOrThrow()
  const sessions = await db.selectFrom('sessions').where('userId', '=', person.id).selectAll().execute()
  const text = JSON.stringify(await exported(person))
  expect(text).toContain('mail.invalid')
  for (const secret of [
    'swordfish',
    sender.passwordEncrypted,
    user.passwordHash,
    person.token,
    ...sessions.map((s) => s.id),
  ])
    expect(text.includes(secret ?? 'nothing'), secret ?? '').toBe(false)
})

test('account export: every table of a workspace is included', async () => {
  const files = await exported(await t.person())
  // Where the rows of these tables are, which have no file of their own.
  const within: Record<string, string> = {
    users: 'account',
    ...{ campaign_lists: 'campaigns', campaign_segments: 'campaigns', campaign_excluded_lists: 'campaigns' },
    campaign_senders: 'campaigns',
    ...{ campaign_links: 'campaigns', campaign_totals: 'campaigns' },
    // What was uploaded, until it is imported.
    import_files: 'imports',
    // What was there before changes of many contacts, for a day.
    contact_job_slices: 'contact-jobs',
    // Counted from the messages, or held of them and of the senders while they are sent.
    ...{ campaign_counts: 'messages', claims: 'messages', sender_usage: 'messages', sender_shares: 'senders' },
    // Counted from the events.
    ...{
      event_changes: 'events',
      message_changes: 'events',
      message_rollups: 'events',
      message_links: 'events',
      event_counts: 'events',
    },
    // Files are named for their readers, who may have scripts for them, not for the tables.
    ...{ crawl_jobs: 'collector-jobs', crawl_pages: 'collector-pages', crawl_results: 'collector-results' },
    whatsapp_numbers: 'whatsapp-accounts',
    // Hashes of the names of events.
    bounce_events: 'bounce-sources',
    tag_click_cursors: 'tag-clicks',
    ...{ subscriptions: 'billing', plan_grants: 'billing', checkouts: 'billing' },
    ...{ coupon_uses: 'billing', invoices: 'billing', payment_reversals: 'billing', usage_months: 'billing' },
  }
  const missing = (await tablesWith(t.services.db, 'workspace_id')).filter(
    (table) => !files[`${within[table] ?? table.replaceAll('_', '-')}.json`],
  )
  expect(missing, 'add them to partsOf in export-store.ts').toEqual([])
})

test('account export: an empty workspace gives an archive of empty files', async () => {
  const files = await exported(await t.person())
  expect([files['contacts.json'], files['events.json']]).toEqual(['[]\n', '[]\n'])
  expect(files['README.txt']).toContain('Passwords and other credentials are not part of it.')
})

test('account export: a browser downloads it with a cookie for that URL while the session lasts', async () => {
  const person = await t.person()
  const authorization = { authorization: `Bearer ${person.token}` }
  const link = await t.inject({ method: 'POST', url: '/api/account/export/link', headers: authorization })
  const { url } = link.json()
  const [cookie = '', ...attributes] = String(link.headers['set-cookie']).split('; ')
  expect(attributes).toEqual([`Path=${url}`, 'Max-Age=60', 'HttpOnly', 'SameSite=Strict'])
  const response = await t.inject({ url, headers: { cookie: `theme=dark; ${cookie}` } })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-disposition']).toMatch(/^attachment; filename="postlark-\d{4}-\d\d-\d\d\.zip"$/)
  expect(response.headers['cache-control']).toBe('no-store')
  expect(unzipSync(response.rawPayload)['account.json']).toBeDefined()
  for (const headers of [
    {},
    { cookie: 'postlark_export=x.y.z' },
    { cookie: `postlark_export=${person.token}` },
    authorization,
  ])
    expect((await t.inject({ url, headers })).statusCode).toBe(401)
  // It opens this one door.
  expect((await t.inject({ url: '/api/auth/user', headers: { cookie } })).statusCode).toBe(401)
  const ticket = cookie.split('=')[1]
  expect((await t.inject({ url: '/api/auth/user', headers: { authorization: `Bearer ${ticket}` } })).statusCode).toBe(
    401,
  )
  await person.api(accounts.logout)
  expect((await t.inject({ url, headers: { cookie } })).statusCode).toBe(401)
})

test('account export: a user gets at most thirty', async () => {
  const person = await t.person()
  for (let i = 0; i < 30; i++) await (await person.api(accounts.export)).arrayBuffer()
  await expect(person.api(accounts.export)).rejects.toMatchObject({ status: 429 })
})

test('sessions: the list names browser and system of each session', async () => {
  const person = await t.person()
  const agents: [string, string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
      'Microsoft Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['', 'Unknown device'],
  ]
  for (const [userAgent] of agents)
    await t.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': userAgent },
      payload: { email: person.email, password: person.password },
    })
  const { items } = await person.api(accounts.sessions)
  for (const [userAgent, device] of agents)
    expect(items.find((session) => session.userAgent === userAgent)).toMatchObject({ device })
})

test('sessions: the time of last use is updated at most once in a while', async () => {
  const person = await t.person()
  const seen = async () => (await person.api(accounts.sessions)).items[0]?.lastSeenAt
  const first = await seen()
  expect(await seen()).toBe(first)
  const hourAgo = new Date(Date.now() - 3_600_000)
  await t.services.db.updateTable('sessions').set({ lastSeenAt: hourAgo }).where('userId', '=', person.id).execute()
  expect(Date.parse((await seen()) ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

test('sessions: any user agent has a device name', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => describeDevice(text).length > 0))
})
