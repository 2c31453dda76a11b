import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type ContactJob, contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { events as eventCalls, MAX_EVENTS } from '#contracts/contacts/events.ts'
import { contactMerges } from '#contracts/contacts/merges.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { forgetChanges } from '../bulk/bulk-store.ts'
import { deleteOld } from './events-store.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

async function record(person: Person, body: object, key?: string) {
  const response = await t.inject({
    method: 'POST',
    url: '/api/events',
    headers: { authorization: `Bearer ${person.token}`, ...(key !== undefined && { 'idempotency-key': key }) },
    payload: body,
  })
  return { status: response.statusCode, ...response.json() }
}

/** The custom events of a contact, newest first, by name. */
async function listNames(person: Person, id: string) {
  const { items } = await person.api(contactTimeline.show, { params: { id }, query: { limit: 200 } })
  return items.flatMap(({ kind, detail }) => (kind === 'custom_event' ? [detail] : []))
}

const countStored = async ({ workspaceId }: Person) => {
  const rows = await t.services.db
    .selectFrom('contactEvents')
    .where('workspaceId', '=', workspaceId)
    .select('id')
    .execute()
  return rows.length
}

test('events: one is recorded by email or id, and its properties are in the timeline and the export', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const { id } = await person.api(contacts.create, { body: { email: 'Ada@events.example' } })
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const properties = { total: 20.5, currency: 'EUR', isFirst: true, coupon: null }
  expect(await record(person, { name: ' Order paid ', email: 'ada@EVENTS.example', properties, at })).toMatchObject({
    status: 202,
    id: expect.stringMatching(/^\d+$/),
  })
  expect((await record(person, { name: 'Logged in', contactId: id })).status).toBe(202)
  const { items } = await person.api(contactTimeline.show, { params: { id }, query: {} })
  expect(items.filter(({ kind }) => kind === 'custom_event')).toMatchObject([
    { detail: 'Logged in', properties: {} },
    { detail: 'Order paid', properties, at },
  ])
  const { items: names } = await person.api(eventCalls.names)
  expect(names.map(({ name }) => name)).toEqual(['Logged in', 'Order paid'])
  const file = await person.api(contactTimeline.export, { params: { id } })
  expect(await file.text()).toContain('"total": 20.5')
  for (const body of [{ email: 'nobody@events.example' }, { contactId: '999999999' }])
    expect(await record(person, { name: 'X', ...body })).toMatchObject({ status: 404, code: 'not_found' })
  expect(await record(other, { name: 'X', contactId: id })).toMatchObject({ status: 404 })
})

test('events: with a key one is recorded once, and the key is refused for another', async () => {
  const person = await t.person()
  const email = 'bob@events.example'
  const { id } = await person.api(contacts.create, { body: { email } })
  const event = { name: 'Order paid', email, properties: { b: 1, a: 2 } }
  const all = await Promise.all(Array.from({ length: 8 }, () => record(person, event, 'order-17')))
  expect(new Set(all.map((one) => `${one.status} ${one.id}`)).size).toBe(1)
  expect(all[0]?.status).toBe(202)
  expect(await record(person, { ...event, properties: { a: 2, b: 1 } }, 'order-17')).toEqual(all[0])
  for (const change of [{ name: 'Order sent' }, { properties: { b: 2, a: 2 } }, { email: undefined, contactId: id }])
    expect(await record(person, { ...event, ...change }, 'order-17')).toMatchObject({ status: 409, code: 'key_used' })
  expect((await record(person, event, 'order-18')).id).not.toBe(all[0]?.id)
  expect(await listNames(person, id)).toEqual(['Order paid', 'Order paid'])
})

test('events: what cannot be stored is refused with the name of its field', async () => {
  const person = await t.person()
  const { id: contactId } = await person.api(contacts.create, { body: { email: 'cem@events.example' } })
  const far = new Date(Date.now() + 3_600_000).toISOString()
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`p${n}`, n]))
  for (const [field, body] of [
    ['name', { contactId }],
    ['name', { contactId, name: 'a/b' }],
    ['name', { contactId, name: 'x'.repeat(65) }],
    ['email', { name: 'x' }],
    ['email', { name: 'x', contactId, email: 'cem@events.example' }],
    ['at', { name: 'x', contactId, at: far }],
    ['at', { name: 'x', contactId, at: '2020-01-01T00:00:00Z' }],
    ['properties', { name: 'x', contactId, properties: many }],
    [
      'properties',
      {
        name: 'x',
        contactId,
        properties: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((k) => [k, 'ü'.repeat(500)])),
      },
    ],
    ['properties.deep', { name: 'x', contactId, properties: { deep: { er: 1 } } }],
  ] as const)
    expect(await record(person, body), JSON.stringify(body)).toMatchObject({ status: 400, details: [{ field }] })
  expect(await record(person, { name: 'x', contactId }, 'ü')).toMatchObject({
    status: 400,
    details: [{ field: 'Idempotency-Key' }],
  })
  await t.services.db
    .insertInto('throttles')
    .values({ key: `events:${person.workspaceId}`, count: 1_000, resetsAt: new Date(Date.now() + 60_000) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ count: 1_000 }))
    .execute()
  expect(await record(person, { name: 'x', contactId })).toMatchObject({ status: 429 })
  expect(await countStored(person)).toBe(0)
})

test('events: they follow their contact through a merge, a removal and their undo, and go with it', async () => {
  const person = await t.person()
  const { api } = person
  const create = async (name: string) => (await api(contacts.create, { body: { email: `${name}@events.example` } })).id
  const [ann, ben] = [await create('ann'), await create('ben')]
  await record(person, { name: 'A', contactId: ann })
  await record(person, { name: 'B', contactId: ben })
  const { mergeId } = await api(contactMerges.merge, { params: { id: ann }, body: { otherId: ben } })
  expect(await listNames(person, ann)).toEqual(['B', 'A'])
  await api(contactMerges.undo, { params: { id: ann }, body: { mergeId } })
  expect([await listNames(person, ann), await listNames(person, ben)]).toEqual([['A'], ['B']])

  const untilEnded = (id: string): Promise<ContactJob> =>
    until(async () => {
      const job = await api(jobs.get, { params: { id } })
      return job.state === 'done' ? job : undefined
    }, 'the end of a change')
  const removed = await untilEnded(
    (await api(contactsBulk.start, { body: { ids: [ann, ben], action: 'delete' } })).jobId,
  )
  // Meanwhile another contact has the address of one of them.
  const taker = await create('ben')
  await untilEnded((await api(jobs.undo, { params: { id: removed.id } })).jobId)
  expect(await listNames(person, ann)).toEqual(['A'])
  expect(await countStored(person)).toBe(1)

  await untilEnded((await api(contactsBulk.start, { body: { ids: [ann], action: 'delete' } })).jobId)
  expect(await countStored(person)).toBe(1)
  await sql`update contact_job_slices set at = now() - interval '2 days' where workspace_id = ${person.workspaceId}`.execute(
    t.services.db,
  )
  await forgetChanges(t.services.db, { undoHours: 24, days: 90 })
  expect(await countStored(person)).toBe(0)
  await record(person, { name: 'C', contactId: taker })
  await api(contacts.remove, { params: { id: taker } })
  expect(await countStored(person)).toBe(0)
})

test('events: an erased person is in no event of others either', async () => {
  const person = await t.person()
  const [ada, bob] = [
    await person.api(contacts.create, { body: { email: 'ada.gone@events.example', phone: '+4930445566' } }),
    await person.api(contacts.create, { body: { email: 'bob.stays@events.example' } }),
  ]
  await record(person, { name: 'Registered', contactId: ada.id })
  const properties = { 'Ada.Gone@events.example': true, by: 'from ADA.gone@events.example', phone: 4_930_445_566, n: 1 }
  await record(person, { name: 'Invited', contactId: bob.id, properties })
  await person.api(contacts.erase, { params: { id: ada.id } })
  const names = { name: 'Invited', properties: expect.not.objectContaining({ phone: 4_930_445_566 }) }
  await untilPasses(async () => {
    const rows = await t.services.db
      .selectFrom('contactEvents')
      .where('workspaceId', '=', person.workspaceId)
      .select(['name', 'properties'])
      .execute()
    expect(rows).toMatchObject([names])
    expect(JSON.stringify(rows)).toMatch(/"by":"from erased-[0-9a-f]{16}"/)
    expect(JSON.stringify(rows)).not.toMatch(/ada\.gone/i)
  })
})

test('events: the newest of a contact are stored, for a year', async () => {
  const person = await t.person()
  const { id } = await person.api(contacts.create, { body: { email: 'dee@events.example' } })
  await sql`insert into contact_events (workspace_id, contact_id, name, at, recorded_at)
    select ${person.workspaceId}, ${id}, 'n' || n, now(), now() - interval '366 days' * (n % 2)
    from generate_series(1, ${MAX_EVENTS}) n`.execute(t.services.db)
  await record(person, { name: 'Newest', contactId: id })
  expect(await countStored(person)).toBe(MAX_EVENTS)
  await deleteOld(t.services.db)
  expect(await countStored(person)).toBe(MAX_EVENTS / 2 + 1)
  expect((await listNames(person, id))[0]).toBe('Newest')
})
