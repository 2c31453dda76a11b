import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, HTML, letTimePass, listWith, untilState } from '#server/testing/campaign.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { untilPasses } from '#server/testing/until.ts'

let t: TestApp
const replies = new Map<string, string[]>()
beforeAll(async () => {
  // Addresses with a script are refused with its answers in turn, then taken.
  const sink = await startMailSink((stage, address) => (stage === 'rcpt' ? replies.get(address)?.shift() : undefined))
  t = await testApp({ sink })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await t.sink.stop()
})

const to = (prefix: string) => (n: number) => `${prefix}${n}@example.com`
const mailsTo = (prefix: string) => t.sink.received.filter((mail) => mail.to[0]?.startsWith(prefix))

test('campaign: every recipient gets one personal email, and the counts add up', async () => {
  const person = await t.person()
  const draft = await draftTo(person, await listWith(t.services, person, 60, to('once')))
  expect(await person.api(campaigns.check, { params: { id: draft.id } })).toMatchObject({ ok: true, recipients: 60 })
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  const sent = await untilState(person, draft.id, ['sent'])
  expect(sent.counts).toEqual({
    recipients: 60,
    queued: 0,
    sent: 60,
    deferred: 0,
    failed: 0,
    bounced: 0,
    suppressed: 0,
    unconfirmed: 0,
  })
  expect(
    mailsTo('once')
      .map((mail) => mail.to[0])
      .sort(),
  ).toEqual(Array.from({ length: 60 }, (_, i) => `once${i + 1}@example.com`).sort())
  const mail = await t.sink.mailTo('once7@example.com')
  expect(mail.subject).toBe('News for Person 7')
  expect(mail.html).toContain('News for Firm 7')
  expect(mail.text).toContain('Firm 7')
  expect(mail.headers.filter((header) => header.key === 'list-unsubscribe-post').map((header) => header.value)).toEqual(
    ['List-Unsubscribe=One-Click'],
  )
})

test("campaign: a temporary refusal is deferred, and a permanent one fails with the server's reply", async () => {
  const person = await t.person()
  replies.set('later1@example.com', ['451 4.3.0 come back later'])
  replies.set('later2@example.com', ['550 5.1.1 no such user here'])
  const draft = await draftTo(person, await listWith(t.services, person, 3, to('later')))
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  await untilPasses(async () =>
    expect((await person.api(campaigns.get, { params: { id: draft.id } })).counts).toMatchObject({
      sent: 1,
      deferred: 1,
      failed: 1,
      queued: 0,
    }),
  )
  const { items } = await person.api(campaigns.messages, { params: { id: draft.id }, query: {} })
  const [first, second] = items
  expect(first).toMatchObject({ address: 'later1@example.com', state: 'deferred', attempts: 1 })
  const wait = Date.parse(first?.nextTryAt ?? '') - Date.now()
  expect(wait).toBeGreaterThan(20_000)
  expect(wait).toBeLessThan(120_500)
  expect(second).toMatchObject({ address: 'later2@example.com', state: 'failed', reason: 'hard' })
  expect(second?.response).toBe('550 5.1.1 no such user here')
  expect((await person.api(suppressions.list, { query: {} })).items).toMatchObject([
    { address: 'later2@example.com', reason: 'hard_bounce', campaign: { id: draft.id, channel: 'email' } },
  ])
  // The time of the next try comes.
  await letTimePass(t.services, draft.id)
  expect((await untilState(person, draft.id, ['sent'])).counts).toMatchObject({ sent: 2, failed: 1, deferred: 0 })
})

test('campaign: once it is canceled, no message says when it is tried again', async () => {
  const person = await t.person()
  replies.set('never1@example.com', ['451 4.3.0 come back later'])
  const { id } = await draftTo(person, await listWith(t.services, person, 1, to('never')))
  await person.api(campaigns.send, { params: { id }, body: {} })
  const read = async () => (await person.api(campaigns.messages, { params: { id }, query: {} })).items
  await untilPasses(async () => expect(await read()).toMatchObject([{ nextTryAt: expect.any(String) }]))
  await person.api(campaigns.cancel, { params: { id } })
  expect(await read()).toMatchObject([{ state: 'deferred', attempts: 1, nextTryAt: null }])
})

test('campaign: a suppressed recipient gets no email', async () => {
  const person = await t.person()
  const listId = await listWith(t.services, person, 5, to('quit'))
  const draft = await draftTo(person, listId)
  await person.api(suppressions.create, { body: { address: 'quit2@example.com' } })
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  expect((await untilState(person, draft.id, ['sent'])).counts).toMatchObject({ sent: 4, suppressed: 1, recipients: 5 })
  expect(mailsTo('quit').map((mail) => mail.to[0])).not.toContain('quit2@example.com')
})

test('campaign: pausing stops sending, and resuming sends the rest without who was suppressed meanwhile', async () => {
  const person = await t.person()
  const { items } = await person.api((await import('#contracts/senders/senders.ts')).senders.list, { query: {} })
  await t.services.pool.query('update senders set per_second = 5 where id = $1', [items[0]?.id])
  const draft = await draftTo(person, await listWith(t.services, person, 60, to('pause')))
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  await untilPasses(async () => expect(mailsTo('pause').length).toBeGreaterThan(5))
  const paused = await person.api(campaigns.pause, { params: { id: draft.id } })
  expect(paused.state).toBe('paused')
  await untilPasses(async () =>
    expect(
      (await t.services.pool.query('select count(*)::int as n from claims where campaign_id = $1', [draft.id])).rows[0]
        .n,
    ).toBe(0),
  )
  const before = mailsTo('pause').length
  const { counts } = await person.api(campaigns.get, { params: { id: draft.id } })
  expect(counts).toMatchObject({ sent: before, queued: 60 - before, recipients: 60 })
  const query = { state: 'queued' } as const
  const [next] = (await person.api(campaigns.messages, { params: { id: draft.id }, query })).items
  await person.api(suppressions.create, { body: { address: next?.address ?? '' } })
  await t.services.pool.query('update senders set per_second = 100 where id = $1', [items[0]?.id])
  await person.api(campaigns.resume, { params: { id: draft.id } })
  expect((await untilState(person, draft.id, ['sent'])).counts).toMatchObject({ sent: 59, suppressed: 1 })
  const recipients = mailsTo('pause').map((mail) => mail.to[0])
  expect([recipients.length, new Set(recipients).size, recipients.includes(next?.address)]).toEqual([59, 59, false])
})

test('campaign: one that is not ready is refused with every reason', async () => {
  const person = await t.person()
  const draft = await person.api(campaigns.create, { body: { name: 'Empty' } })
  const response = await t.inject({
    method: 'POST',
    url: `/api/campaigns/${draft.id}/send`,
    headers: { authorization: `Bearer ${person.token}` },
    payload: {},
  })
  expect(response.statusCode).toBe(409)
  expect(
    response
      .json()
      .details.map((detail: { field: string }) => detail.field)
      .sort(),
  ).toEqual(['no_content', 'no_lists', 'no_subject'])
  await expect(
    person.api(campaigns.update, { params: { id: draft.id }, body: { name: 'Line\r\nBcc: x@example.com' } }),
  ).rejects.toMatchObject({ status: 400 })
  const other = await t.person()
  const theirs = await listWith(t.services, other, 1, to('theirs'))
  await expect(
    person.api(campaigns.update, { params: { id: draft.id }, body: { listIds: [theirs] } }),
  ).rejects.toMatchObject({ status: 400, code: 'invalid' })
  await expect(other.api(campaigns.get, { params: { id: draft.id } })).rejects.toMatchObject({ status: 404 })
})

test('campaign: concurrent requests to send start it once', async () => {
  const person = await t.person()
  const draft = await draftTo(person, await listWith(t.services, person, 20, to('twice')))
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => person.api(campaigns.send, { params: { id: draft.id }, body: {} })),
  )
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  expect((await untilState(person, draft.id, ['sent'])).counts.sent).toBe(20)
  expect(mailsTo('twice')).toHaveLength(20)
})

test('campaign: a scheduled one starts at its time and can be canceled before', async () => {
  const person = await t.person()
  const listId = await listWith(t.services, person, 2, to('plan'))
  const early = await draftTo(person, listId)
  const at = new Date(Date.now() + 3_600_000).toISOString()
  expect(
    (await person.api(campaigns.send, { params: { id: early.id }, body: { at, timeZone: 'Europe/Berlin' } })).state,
  ).toBe('scheduled')
  const later = await draftTo(person, listId)
  await person.api(campaigns.send, { params: { id: later.id }, body: { at } })
  expect((await person.api(campaigns.cancel, { params: { id: later.id } })).state).toBe('draft')
  expect(mailsTo('plan')).toHaveLength(0)
  // The hour has passed.
  await sql`update campaigns set scheduled_at = now() where id = ${early.id}`.execute(t.services.db)
  await untilState(person, early.id, ['sent'])
  expect(mailsTo('plan')).toHaveLength(2)
})

test('campaign: a test email is marked as a test, goes to one address and is not counted', async () => {
  const person = await t.person()
  const draft = await draftTo(person, await listWith(t.services, person, 1, to('tested')), { html: HTML })
  expect(await person.api(campaigns.test, { params: { id: draft.id }, body: { to: 'me@example.com' } })).toMatchObject({
    ok: true,
  })
  const mail = await t.sink.mailTo('me@example.com')
  expect(mail.subject).toMatch(/^\[Test\] News for/)
  expect(mail.html).not.toContain('/t/o/')
  expect((await person.api(campaigns.get, { params: { id: draft.id } })).counts.recipients).toBe(0)
})

test('campaign: too many unknown addresses pause it', async () => {
  const person = await t.person()
  for (let n = 1; n <= 80; n++) if (n % 10 === 0) replies.set(`bad${n}@example.com`, ['550 5.1.1 unknown user'])
  const draft = await draftTo(person, await listWith(t.services, person, 80, to('bad')))
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  const paused = await untilState(person, draft.id, ['paused', 'sent'])
  expect([paused.state, paused.stateText]).toEqual(['paused', expect.stringContaining('5 %')])
})

test('campaign: the recipients are exported as CSV with neutralized formulas', async () => {
  const person = await t.person()
  const draft = await draftTo(
    person,
    await listWith(t.services, person, 2, (n) => (n === 1 ? '=cmd@example.com' : 'csv2@example.com')),
  )
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  await untilState(person, draft.id, ['sent'])
  await t.services.db
    .updateTable('messages')
    .set({ state: 'suppressed', reason: 'frequency_cap' })
    .where('campaignId', '=', draft.id)
    .where('address', '=', 'csv2@example.com')
    .execute()
  const csv = await (await person.api(campaigns.exportMessages, { params: { id: draft.id }, query: {} })).text()
  const lines = csv.split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/,"reasonText"$/)
  expect(lines[2]).toMatch(/,"suppressed","frequency_cap",.*,"Reached the weekly limit"$/)
  expect(csv).toContain("'=cmd@example.com")
})

test('campaign: an attribute that no contact has is reported with its line and a suggestion', async () => {
  const person = await t.person()
  const html =
    '<p>Hello</p>\n<p>{{ attributes.Company }} {{ attributes.shoe }}{{ attributes.hat | default: "a hat" }}{% if attributes.cap %}{{ attributes.cap }}{% endif %}</p>'
  const draft = await draftTo(person, await listWith(t.services, person, 2, to('attr')), { html })
  const { ok, problems } = await person.api(campaigns.check, { params: { id: draft.id } })
  expect(ok).toBe(false)
  const unknown = problems
    .filter((problem) => problem.code === 'unknown_attribute')
    .map(({ severity, line, message }) => [severity, line, message])
  expect(unknown).toEqual([
    ['error', 2, expect.stringMatching(/Company.*attributes\.company/)],
    ['error', 2, expect.stringContaining('“shoe”')],
    ['warning', 2, expect.stringContaining('“hat”')],
    ['warning', 2, expect.stringContaining('“cap”')],
  ])
})

test('campaign: merge fields that are empty for some recipients and have no default are reported with how many', async () => {
  const person = await t.person()
  const list = await person.api(lists.create, { body: { name: 'Gaps' } })
  const add = (email: string, more: object) =>
    person.api(contacts.create, { body: { email, lists: [list.id], ...more } })
  await add('ann@gaps.test', { name: 'Ann Lee', attributes: { city: 'Bern' } })
  await add('bob@gaps.test', { name: 'Bob' })
  await add('cy@gaps.test', { attributes: { first_name: 'Cy', city: '' } })
  const gone = await add('gone@gaps.test', {})
  await person.api(suppressions.create, { body: { channel: 'email', address: gone.email ?? '', reason: 'manual' } })
  const html = `<p>{{ first_name }} {{ last_name }}</p>
<p>{{ name }}{{ phone | default: "none" }}{% if attributes.city %}{{ attributes.city }}{% endif %}</p>
<p><a href="https://example.com/{{ attributes.city }}">{{ attributes.city | upcase }}</a></p>`
  const draft = await draftTo(person, list.id, { subject: 'Hello', html })
  const { problems } = await person.api(campaigns.check, { params: { id: draft.id } })
  const empty = problems.filter(({ code }) => code === 'empty_field')
  expect(empty.map(({ severity, line, message }) => [severity, line, message])).toEqual([
    [
      'warning',
      1,
      '{{ last_name }} is empty for 2 of 3 recipients. Give it a default: {{ last_name | default: "…" }}.',
    ],
    ['warning', 2, '{{ name }} is empty for 1 of 3 recipients. Give it a default: {{ name | default: "…" }}.'],
  ])
})
