import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { reserveQuota } from '#server/features/billing/index.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { addFound } from '../index.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const doubleList = (person: Person, name = 'Garden news') =>
  person.api(lists.create, { body: { name, optin: 'double' } })
const show = (person: Person, id: string) => person.api(lists.get, { params: { id } })
const add = (person: Person, email: string, listId: string) =>
  person.api(contacts.create, { body: { email, lists: [listId] } })
const mailsTo = (address: string) => t.sink.received.filter(({ to }) => to.includes(address)).length
const linkIn = async (address: string) => /\/confirm\/\S+/.exec((await t.sink.mailTo(address)).text ?? '')?.[0] ?? ''
const press = (url: string) => t.inject({ method: 'POST', url })
const untilAsked = (listId: string, count: number) =>
  untilPasses(async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from list_members where list_id = ${listId} and asked_at is not null`.execute(
      t.services.db,
    )
    expect(rows[0]?.n).toBe(count)
  })

function upload(person: Person, listId: string, csv: string) {
  const form = new FormData()
  form.set('listId', listId)
  form.set('file', new File([csv], 'people.csv'))
  return fetch(`${t.address}/api/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
}

test('confirmation: everybody added to a double opt-in list is asked once and counts when confirmed', async () => {
  const person = await t.person({ name: 'Robin Gardener' })
  const { id } = await doubleList(person)
  await add(person, 'post@way.example', id)
  await person.api(contacts.upsert, { params: { address: 'put@way.example' }, body: { lists: [id] } })
  const late = await person.api(contacts.create, { body: { email: 'patch@way.example' } })
  await person.api(contacts.update, { params: { id: late.id }, body: { lists: [id] } })
  expect((await upload(person, id, 'email\nimport@way.example\n')).status).toBe(202)
  const found = { personName: '', organization: '', sourceUrl: 'https://a.example/', context: '', foundAt: new Date() }
  const addition = { listId: id, jobId: '1', addedBy: person.id, basis: null, basisNote: '' }
  await addFound(t.services, person.workspaceId, 'email', [{ ...found, value: 'found@way.example' }], addition)
  const ways = ['post', 'put', 'patch', 'import', 'found']
  for (const [n, way] of ways.entries()) {
    const link = await linkIn(`${way}@way.example`)
    expect((await t.inject({ method: 'GET', url: link })).body).toContain('Confirm your subscription')
    expect(await show(person, id)).toMatchObject({ contacts: n })
    expect((await press(link)).body).toContain('You are subscribed')
  }
  expect(await show(person, id)).toMatchObject({ contacts: 5, unconfirmed: 0 })
  for (const way of ways) expect(mailsTo(`${way}@way.example`)).toBe(1)
})

test('confirmation: suppressed contacts, phone numbers and single opt-in lists get no email', async () => {
  const person = await t.person()
  const double = await doubleList(person)
  const single = await person.api(lists.create, { body: { name: 'Open' } })
  await person.api(suppressions.create, { body: { address: 'no@quiet.example' } })
  await add(person, 'no@quiet.example', double.id)
  await person.api(contacts.create, { body: { phone: '+4930123456', lists: [double.id] } })
  await add(person, 'open@quiet.example', single.id)
  await add(person, 'yes@quiet.example', double.id)
  await t.sink.mailTo('yes@quiet.example')
  expect([mailsTo('no@quiet.example'), mailsTo('open@quiet.example')]).toEqual([0, 0])
  await untilAsked(double.id, 3)
})

test('confirmation: a large import is asked at a limited pace and delays no other workspace', async () => {
  const person = await t.person({ plan: 'free' })
  const { id } = await doubleList(person)
  const ends = sql<Date>`now() + interval '1 hour'`
  const key = `confirmations:${person.workspaceId}`
  await t.services.db.insertInto('throttles').values({ key, count: 97, resetsAt: ends }).execute()
  await upload(person, id, `email\n${Array.from({ length: 60 }, (_, i) => `p${i}@pace.example`).join('\n')}\n`)
  await untilAsked(id, 3)
  const other = await t.person()
  await add(other, 'other@pace.example', (await doubleList(other)).id)
  await t.sink.mailTo('other@pace.example')
  await untilAsked(id, 3)
  expect(await show(person, id)).toMatchObject({ unconfirmed: 60, contacts: 0 })
  const usage = await t.services.db
    .selectFrom('usageMonths')
    .where('workspaceId', '=', person.workspaceId)
    .select('emails')
    .executeTakeFirst()
  expect(usage?.emails).toBe('3')
})

test('confirmation: a workspace without emails left this month asks nobody', async () => {
  const person = await t.person({ plan: 'free' })
  const { id } = await doubleList(person)
  await t.services.db.transaction().execute((db) => reserveQuota(t.services, db, person.workspaceId, 'emails', 1_000))
  await add(person, 'spent@month.example', id)
  const other = await t.person()
  await add(other, 'other@month.example', (await doubleList(other)).id)
  await t.sink.mailTo('other@month.example')
  await untilAsked(id, 0)
})

test('confirmation: a contact is asked again only after a week, and at most three times', async () => {
  const person = await t.person()
  const { id } = await doubleList(person)
  await add(person, 'again@ask.example', id)
  await t.sink.mailTo('again@ask.example')
  const again = async () => (await person.api(lists.confirmations, { params: { id } })).queued
  const weekAgo = () =>
    sql`update list_members set asked_at = now() - interval '8 days' where list_id = ${id}`.execute(t.services.db)
  const queued = [await again()]
  for (const times of [2, 3]) {
    await weekAgo()
    queued.push(await again())
    await untilPasses(async () => expect(mailsTo('again@ask.example')).toBe(times))
  }
  await weekAgo()
  expect([...queued, await again()]).toEqual([0, 1, 1, 0])
  // Neither does a new list of the same people.
  await add(person, 'probe@ask.example', id)
  const copy = await doubleList(person)
  const { items } = await person.api(contacts.list, { query: { q: 'again@ask.example' } })
  await person.api(contacts.update, { params: { id: items[0]?.id ?? '' }, body: { lists: [id, copy.id] } })
  await untilAsked(copy.id, 1)
  await t.sink.mailTo('probe@ask.example')
  expect(mailsTo('again@ask.example')).toBe(3)
  const single = await person.api(lists.create, { body: { name: 'Open' } })
  await expect(person.api(lists.confirmations, { params: { id: single.id } })).rejects.toMatchObject({ status: 409 })
})

test('confirmation: a changed address is asked again, and the link to the old one is refused', async () => {
  const person = await t.person()
  const { id } = await doubleList(person)
  const contact = await add(person, 'mine@change.example', id)
  const link = await linkIn('mine@change.example')
  await person.api(contacts.update, { params: { id: contact.id }, body: { email: 'victim@change.example' } })
  await t.sink.mailTo('victim@change.example')
  expect((await press(link)).statusCode).toBe(404)
  expect(await show(person, id)).toMatchObject({ contacts: 0, unconfirmed: 1 })
})

test('confirmation: an address is asked by at most five workspaces an hour', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => t.person()))
  const made = await Promise.all(people.map((person) => doubleList(person)))
  await Promise.all(people.map((person, i) => add(person, 'many@five.example', made[i]?.id ?? '')))
  for (const list of made) await untilAsked(list.id, 1)
  await add(people[0] as Person, 'after@five.example', made[0]?.id ?? '')
  await t.sink.mailTo('after@five.example')
  expect(mailsTo('many@five.example')).toBe(5)
})
