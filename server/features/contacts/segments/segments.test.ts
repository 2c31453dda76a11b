import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import type { Condition, ContactFilter } from '#contracts/contacts/conditions.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { tags } from '#contracts/contacts/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { withinTime } from './within-time.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const refused = (status: number, code: string) => expect.objectContaining({ status, code })
const and = (...items: (Condition | ContactFilter)[]): ContactFilter => ({ op: 'and', items })

/** Two contacts, one of them on a list and with a tag. */
async function people({ api }: Person) {
  const list = await api(lists.create, { body: { name: 'News' } })
  const tag = await api(tags.create, { body: { name: 'VIP' } })
  const body = { email: 'ann@example.com', name: 'Ann', attributes: { plan: 'gold' }, lists: [list.id], tags: [tag.id] }
  await api(contacts.create, { body })
  await api(contacts.create, { body: { email: 'ben@example.com', name: 'Ben' } })
  return { listId: list.id, tagId: tag.id }
}

test('segment: it is created, previewed, used as a filter, changed and removed', async () => {
  const person = await t.person()
  const { api } = person
  const { tagId } = await people(person)
  const filter = and(
    { field: 'tag', is: 'equal', value: tagId },
    {
      op: 'or',
      items: [
        { field: 'attributes.plan', is: 'equal', value: 'GOLD' },
        { field: 'opened', is: 'ever' },
      ],
    },
  )
  const preview = await api(segments.preview, { body: { filter } })
  expect([preview.count, preview.sample.map(({ name }) => name)]).toEqual([1, ['Ann']])
  const segment = await api(segments.create, { body: { name: 'Gold', filter } })
  expect(segment).toMatchObject({ name: 'Gold', filter, problems: [] })
  expect(await api(contacts.list, { query: { segmentId: segment.id } })).toMatchObject({
    total: 1,
    items: [{ name: 'Ann' }],
  })
  const narrower = JSON.stringify(and({ field: 'name', is: 'equal', value: 'Ben' }))
  expect(await api(contacts.list, { query: { segmentId: segment.id, filter: narrower } })).toMatchObject({ items: [] })
  expect(await api(contacts.list, { query: { filter: narrower } })).toMatchObject({ items: [{ name: 'Ben' }] })
  const csv = await (await api(contacts.export, { query: { segmentId: segment.id } })).text()
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  const change = { name: 'Others', filter: and({ field: 'tag', is: 'notEqual', value: tagId }) }
  expect(await api(segments.update, { params: { id: segment.id }, body: change })).toMatchObject(change)
  expect(await api(contacts.list, { query: { segmentId: segment.id } })).toMatchObject({ items: [{ name: 'Ben' }] })
  await api(segments.remove, { params: { id: segment.id } })
  await expect(api(segments.get, { params: { id: segment.id } })).rejects.toEqual(refused(404, 'not_found'))
  await expect(api(contacts.list, { query: { segmentId: segment.id } })).rejects.toEqual(refused(404, 'not_found'))
})

test('segment: a filter of groups changes the contacts it finds', async () => {
  const person = await t.person()
  const { api } = person
  const { tagId } = await people(person)
  const filter: ContactFilter = {
    op: 'or',
    items: [
      { field: 'name', is: 'startingWith', value: 'be' },
      { field: 'source', is: 'equal', value: 'api' },
    ],
  }
  const { jobId } = await api(contactsBulk.start, { body: { filter, action: 'tag', value: tagId } })
  const job = await until(async () => {
    const now = await api(jobs.get, { params: { id: jobId } })
    return now.state === 'done' ? now : undefined
  }, 'the end of a change')
  expect(job).toMatchObject({ total: 1, changed: 1 })
})

test('segment: one over a list that was deleted says so and matches nobody', async () => {
  const person = await t.person()
  const { api } = person
  const { listId } = await people(person)
  const filter = and({
    op: 'or',
    items: [
      { field: 'list', is: 'notEqual', value: listId },
      { field: 'name', is: 'notEmpty' },
    ],
  })
  const { id } = await api(segments.create, { body: { name: 'Not on the list', filter } })
  expect((await api(contacts.list, { query: { segmentId: id } })).total).toBe(2)
  await api(lists.remove, { params: { id: listId } })
  expect(await api(segments.get, { params: { id } })).toMatchObject({ problems: [{ field: 'items.0.items.0.value' }] })
  expect((await api(contacts.list, { query: { segmentId: id } })).items).toEqual([])
  expect((await api(segments.list, { query: {} })).items).toMatchObject([{ id, problems: [{}] }])
})

test('segment: a filter that is too deep, too long, of wrong types or over what others own is refused by the name of the item', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const theirs = await people(other)
  const name: Condition = { field: 'name', is: 'notEmpty' }
  const nest = (depth: number): ContactFilter => (depth === 0 ? and(name) : and(nest(depth - 1)))
  const bad: [unknown, string][] = [
    [nest(50), 'filter.items.0'],
    [nest(5), 'filter.items.0.items.0.items.0.items.0.items.0'],
    [and(...Array.from({ length: 10_000 }, () => name)), 'filter.items'],
    [and(and(...Array.from({ length: 51 }, () => name))), 'filter.items'],
    [and(and(...Array.from({ length: 21 }, () => ({ field: 'opened', is: 'ever' })))), 'filter.items'],
    [and({ field: 'list', is: 'equal', value: theirs.listId }), 'filter.items.0.value'],
    [and(name, and({ field: 'tag', is: 'notEqual', value: theirs.tagId })), 'filter.items.1.items.0.value'],
    [and({ field: 'clicked', is: 'ofCampaign', value: '1' }), 'filter.items.0.value'],
    [and({ field: 'age', is: 'equal', value: '4' }), 'filter.items.0.field'],
    [and({ field: 'attributes.age', is: 'matching', value: '.*' }), 'filter.items.0.is'],
    [and({ field: 'constructor', is: 'equal' }), 'filter.items.0.field'],
    [and({ field: 'attributes.age', is: 'above', value: '4' }), 'filter.items.0.value'],
    [and({ field: 'attributes.born', is: 'before', value: '2026-02-30' }), 'filter.items.0.value'],
    [and({ field: 'opened', is: 'ever', value: '1' }), 'filter.items.0.value'],
    [and({ ...name, extra: 1 } as never), 'filter.items.0.extra'],
    [{ op: 'and', items: [{ op: 'or', items: [] }] }, 'filter.items.0.items'],
    [{ op: 'and', items: [7] }, 'filter.items.0'],
    [{ op: 'xor', items: [] }, 'filter.op'],
    ['all', 'filter'],
  ]
  for (const [filter, field] of bad)
    await expect(
      person.api(segments.preview, { body: { filter: filter as ContactFilter } }),
      field,
    ).rejects.toMatchObject({
      status: 400,
      details: [expect.objectContaining({ field })],
    })
  await expect(person.api(contacts.list, { query: { filter: '{"op":' } })).rejects.toEqual(refused(400, 'invalid'))
  const mine = await other.api(segments.create, { body: { name: 'Mine', filter: and(name) } })
  await expect(person.api(segments.get, { params: { id: mine.id } })).rejects.toEqual(refused(404, 'not_found'))
  await expect(person.api(contacts.list, { query: { segmentId: mine.id } })).rejects.toEqual(refused(404, 'not_found'))
})

test('segment: signs of patterns in a value are ordinary text, and none takes long', async () => {
  const { api } = await t.person()
  const values = ['%', '_', '.*', '(a+)+$', '\\', "'; drop table contacts; --", '[[:alpha:]]', '%%%_%%%_%%%_%%%']
  for (const [n, text] of values.entries())
    await api(contacts.create, {
      body: { email: `v${n}@signs.example`, name: `x${text}y`, attributes: { note: `${text}z` } },
    })
  // What a pattern would match, and one that takes a matcher exponentially long.
  await api(contacts.create, {
    body: { email: 'plain@signs.example', name: 'xay', attributes: { note: `${'a'.repeat(900)}!` } },
  })
  const find = async (...items: Condition[]) => {
    const { count, sample } = await api(segments.preview, { body: { filter: and(...items) } })
    return [count, sample.map(({ email }) => email)]
  }
  for (const [n, value] of values.slice(3).entries()) {
    const only = [1, [`v${n + 3}@signs.example`]]
    expect(await find({ field: 'name', is: 'containing', value })).toEqual(only)
    expect(await find({ field: 'name', is: 'equal', value: `x${value}y` })).toEqual(only)
    expect(await find({ field: 'attributes.note', is: 'startingWith', value })).toEqual(only)
    expect((await find({ field: 'name', is: 'notContaining', value }))[0]).toBe(values.length)
  }
  for (const [n, value] of values.slice(0, 3).entries())
    expect(await find({ field: 'name', is: 'startingWith', value: `x${value}y` })).toEqual([1, [`v${n}@signs.example`]])
})

test('segment: a filter whose statement takes too long is refused by its name, and the connection serves others', async () => {
  const sleep = (db: Db) => sql`select pg_sleep(600)`.execute(db)
  const { api, workspaceId } = await t.person()
  const slow = { workspaceId, field: 'filter', timeoutMs: 50 }
  await expect(withinTime(t.services.db, slow, sleep)).rejects.toMatchObject({ status: 400 })
  expect((await api(contacts.list, { query: { filter: JSON.stringify(and()) } })).items).toEqual([])
})

test('segment: filters of one workspace take turns, too many are refused, and another workspace is served meanwhile', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const begun = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const held = withinTime(t.services.db, { workspaceId: person.workspaceId, field: 'filter' }, async () => {
    begun.resolve()
    await done.promise
  })
  await begun.promise
  const preview = (api: Person['api']) => api(segments.preview, { body: { filter: and() } })
  const refusals: unknown[] = []
  const all = Promise.allSettled(
    Array.from({ length: 12 }, () =>
      preview(person.api).catch((error) => {
        refusals.push(error)
        throw error
      }),
    ),
  )
  expect(await preview(other.api)).toMatchObject({ count: 0 })
  await until(async () => refusals.length === 2, 'two refusals')
  done.resolve()
  await held
  const settled = await all
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(refusals).toEqual([refused(429, 'too_many_requests'), refused(429, 'too_many_requests')])
})
