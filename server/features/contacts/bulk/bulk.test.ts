import { beforeAll, expect, test } from 'vitest'
import { contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import type { Input } from '#contracts/endpoint.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { listWith } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

type Change = Input<typeof contactsBulk.start>['body']

/** Starts a change and returns it when it has ended. */
async function run(person: Person, body: Change) {
  const { jobId } = await person.api(contactsBulk.start, { body })
  return until(async () => {
    const job = await person.api(jobs.get, { params: { id: jobId } })
    return job.state === 'done' || job.state === 'failed' ? job : undefined
  }, 'the end of a change')
}

const listIds = async (person: Person, query: { listId?: string; status?: 'unsubscribed' } = {}) =>
  (await person.api(contacts.list, { query: { ...query, limit: 200 } })).items.map(({ id }) => id)

test('bulk: chosen contacts get a list, a field and a consent, leave a list, unsubscribe and are removed', async () => {
  const person = await t.person()
  const { api } = person
  const listId = (await api(lists.create, { body: { name: 'Friends' } })).id
  const [ann, ben] = [
    await api(contacts.create, { body: { email: 'ann@example.com', phone: '+491701234567', name: '<b>Ann</b>' } }),
    await api(contacts.create, { body: { email: 'ben@example.com', attributes: { city: 'Bonn' } } }),
  ]
  const ids = [ann.id, ben.id]
  const show = (id: string) => api(contacts.get, { params: { id } })
  expect(await run(person, { ids, action: 'addToList', value: listId })).toMatchObject({
    state: 'done',
    total: 2,
    processed: 2,
    changed: 2,
  })
  expect(await run(person, { ids, action: 'addToList', value: listId })).toMatchObject({ processed: 2, changed: 0 })
  const value = { attributes: { city: null, plan: 'gold' } }
  expect(await run(person, { ids, action: 'setField', value })).toMatchObject({ changed: 2 })
  expect((await show(ben.id)).attributes).toEqual({ plan: 'gold' })
  const proof = {
    how: 'paper' as const,
    purpose: 'news',
    covers: ['marketing' as const],
    givenAt: '2026-01-02T10:00:00Z',
  }
  expect(await run(person, { ids, action: 'recordConsent', value: proof })).toMatchObject({ changed: 1 })
  expect((await api(whatsappConsents.list, { query: {} })).items).toMatchObject([
    { contactId: ann.id, recordedBy: person.email },
  ])
  const csv = await (await api(contactsBulk.export, { body: { ids: [ann.id] } })).text()
  expect(csv.trim().split('\r\n')[1]).toBe(`"ann@example.com","'+491701234567","<b>Ann</b>","subscribed","gold"`)
  await run(person, { ids: [ben.id], action: 'removeFromList', value: listId })
  expect(await listIds(person, { listId })).toEqual([ann.id])
  expect(await run(person, { ids, action: 'unsubscribe' })).toMatchObject({ changed: 2 })
  expect(await show(ann.id)).toMatchObject({ status: 'unsubscribed', lists: [] })
  expect(await run(person, { ids, action: 'delete', value: null })).toMatchObject({ changed: 2 })
  expect(await listIds(person)).toEqual([])
})

test('bulk: a filter changes all it finds, also what the change takes out of it, and 10,000 ids are taken', async () => {
  const person = await t.person()
  const listId = await listWith(t.services, person, 2_103, (n) => `bulk${n}@example.com`)
  const filter = { op: 'and' as const, items: [{ field: 'list' as const, is: 'equal' as const, value: listId }] }
  expect(await run(person, { filter, action: 'unsubscribe' })).toMatchObject({
    state: 'done',
    total: 2_103,
    processed: 2_103,
    changed: 2_103,
  })
  expect((await person.api(contacts.list, { query: { status: 'unsubscribed' } })).total).toBe(2_103)
  await listWith(t.services, person, 10_000, (n) => `many${n}@example.com`)
  const { rows } = await t.services.pool.query<{ id: string }>(
    "select id from contacts where workspace_id = $1 and email like 'many%'",
    [person.workspaceId],
  )
  const ids = rows.map(({ id }) => id)
  expect(await run(person, { ids, action: 'setField', value: { name: 'Same' } })).toMatchObject({ changed: 10_000 })
})

test('bulk: ids of others, unknown lists, no choice, two choices and unknown fields are refused, and nothing is changed', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const mine = await person.api(contacts.create, { body: { email: 'mine@example.com' } })
  const theirs = await other.api(contacts.create, { body: { email: 'theirs@example.com' } })
  const list = await other.api(lists.create, { body: { name: 'Secret' } })
  const ids = [mine.id]
  const filter = { op: 'and' as const, items: [] }
  const bad: [Change, string][] = [
    [{ ids: [mine.id, theirs.id], action: 'delete' }, 'ids'],
    [{ ids: [], action: 'delete' }, 'ids'],
    [{ action: 'delete' }, 'ids'],
    [{ ids, filter, action: 'delete' }, 'ids'],
    [{ ids, action: 'addToList', value: list.id }, 'value'],
    [{ filter: { op: 'and', items: [{ field: 'list', is: 'equal', value: list.id }] }, action: 'delete' }, 'filter'],
    [{ ids, action: 'setField', value: {} }, 'value'],
    [{ ids, action: 'setField', value: { age: 4 } as never }, 'value'],
    [
      { filter: { op: 'and', items: [{ field: 'age', is: 'equal', value: '4' } as never] }, action: 'delete' },
      'filter',
    ],
  ]
  for (const [body, field] of bad)
    await expect(person.api(contactsBulk.start, { body })).rejects.toMatchObject({
      status: 400,
      details: expect.arrayContaining([expect.objectContaining({ field: expect.stringMatching(`^${field}`) })]),
    })
  await expect(person.api(contactsBulk.export, { body: { ids: [theirs.id] } })).rejects.toMatchObject({ status: 400 })
  const { jobId } = await other.api(contactsBulk.start, { body: { ids: [theirs.id], action: 'unsubscribe' } })
  await expect(person.api(jobs.get, { params: { id: jobId } })).rejects.toMatchObject({ status: 404 })
  expect(await listIds(person)).toEqual([mine.id])
})
