import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import type { ContactSort, ContactStatus } from '#contracts/contacts/filter.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const insert = (person: Person, sql: string) => t.services.pool.query(sql, [person.workspaceId])

/** All contacts in an order, two at a time, as their names. */
async function inOrder(person: Person, query: { sort?: ContactSort; status?: ContactStatus; listId?: string }) {
  const names: string[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await person.api(contacts.list, { query: { ...query, limit: 2, ...(cursor && { cursor }) } })
    names.push(...page.items.map((contact) => contact.name))
    if (!page.nextCursor) return names
    cursor = page.nextCursor
  }
}

/** One contact of each status: what makes it is stored as other features store it. */
async function onePerStatus(person: Person) {
  const { api } = person
  const single = await api(lists.create, { body: { name: 'Single' } })
  const double = await api(lists.create, { body: { name: 'Double', optin: 'double' } })
  for (const [name, list] of [
    ['Subscribed', single.id],
    ['Pending', double.id],
    ['Left', single.id],
    ['Bounced', single.id],
    ['Complained', single.id],
  ] as const)
    await api(contacts.create, { body: { email: `${name}@example.com`, name, lists: [list] } })
  await api(contacts.create, { body: { email: 'alone@example.com', name: 'Alone' } })
  await api(contacts.create, { body: { phone: '+491701234567', name: 'Stopped' } })
  await insert(
    person,
    `insert into suppressions (workspace_id, channel, address, address_key, reason) values
      ($1, 'email', 'bounced@example.com', 'bounced@example.com', 'hard_bounce'),
      ($1, 'email', 'complained@example.com', 'complained@example.com', 'complaint'),
      ($1, 'whatsapp', '+491701234567', '+491701234567', 'unsubscribe')`,
  )
  await insert(
    person,
    `update list_members set status = 'unsubscribed' where workspace_id = $1
      and contact_id = (select id from contacts where workspace_id = $1 and name = 'Left')`,
  )
  return { single: single.id }
}

test('contacts: each has one status, and filter, list, profile and export agree on it', async () => {
  const person = await t.person()
  await onePerStatus(person)
  const expected: Record<string, ContactStatus> = {
    Subscribed: 'subscribed',
    Alone: 'subscribed',
    Pending: 'pending',
    Left: 'unsubscribed',
    Stopped: 'unsubscribed',
    Bounced: 'bounced',
    Complained: 'suppressed',
  }
  const { items } = await person.api(contacts.list, { query: {} })
  expect(Object.fromEntries(items.map(({ name, status }) => [name, status]))).toEqual(expected)
  for (const { id, status } of items) expect((await person.api(contacts.get, { params: { id } })).status).toBe(status)
  for (const status of ['subscribed', 'pending', 'unsubscribed', 'bounced', 'suppressed'] as const) {
    const names = Object.keys(expected).filter((name) => expected[name] === status)
    const page = await person.api(contacts.list, { query: { status } })
    expect(page.items.map(({ name }) => name).sort()).toEqual(names.sort())
    expect(page.total).toBe(names.length)
    const csv = await (await person.api(contacts.export, { query: { status } })).text()
    const lines = csv.trim().split('\r\n').slice(1)
    expect(lines).toHaveLength(names.length)
    for (const line of lines) expect(line.split(',')[3]).toBe(`"${status}"`)
  }
})

test('contacts: every order pages without gaps, numbers by value and empty values last', async () => {
  const person = await t.person()
  const { single } = await onePerStatus(person)
  for (const n of [10, 2, 1])
    await person.api(contacts.create, { body: { email: `person${n}@example.com`, name: `p${n}` } })
  await person.api(contacts.create, { body: { email: 'zz@example.com' } })
  const byName = ['Alone', 'Bounced', 'Complained', 'Left', 'p1', 'p2', 'p10', 'Pending', 'Stopped', 'Subscribed']
  expect(await inOrder(person, { sort: 'name' })).toEqual([...byName, ''])
  expect(await inOrder(person, { sort: '-name' })).toEqual([...byName.toReversed(), ''])
  const byEmail = ['Alone', 'Bounced', 'Complained', 'Left', 'Pending', 'p1', 'p2', 'p10', 'Subscribed', '']
  expect(await inOrder(person, { sort: 'email' })).toEqual([...byEmail, 'Stopped'])
  expect(await inOrder(person, { sort: '-email' })).toEqual([...byEmail.toReversed(), 'Stopped'])
  const newest = ['', 'p1', 'p2', 'p10', 'Stopped', 'Alone', 'Complained', 'Bounced', 'Left', 'Pending', 'Subscribed']
  expect(await inOrder(person, {})).toEqual(newest)
  expect(await inOrder(person, { sort: 'createdAt' })).toEqual(newest.toReversed())
  expect(await inOrder(person, { sort: 'status', listId: single })).toEqual(['Subscribed', 'Bounced', 'Complained'])
  expect((await inOrder(person, { sort: '-status' })).slice(0, 2)).toEqual(['Complained', 'Bounced'])
  expect(await inOrder(person, { sort: 'status', status: 'pending' })).toEqual(['Pending'])
})

test('contacts: an unknown order, status or source is refused by its name, and so is a cursor of another order', async () => {
  const { api } = await t.person()
  for (const n of [1, 2, 3]) await api(contacts.create, { body: { email: `${n}@example.com` } })
  for (const [field, value] of [
    ['sort', 'age'],
    ['status', 'asleep'],
    ['source', 'nowhere'],
  ] as const)
    await expect(api(contacts.list, { query: { [field]: value } as never })).rejects.toMatchObject({
      status: 400,
      details: [expect.objectContaining({ field })],
    })
  await expect(api(contacts.list, { query: { sort: 'age' as never } })).rejects.toThrow(/"age"/)
  const { nextCursor } = await api(contacts.list, { query: { limit: 1, sort: 'email' } })
  await expect(api(contacts.list, { query: { sort: 'name', cursor: nextCursor ?? '' } })).rejects.toMatchObject({
    status: 400,
  })
})
