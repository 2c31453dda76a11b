import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const refused = (status: number, code: string) => expect.objectContaining({ status, code })

test('list: it is created, renamed, counted and removed, and its contacts stay', async () => {
  const { api } = await t.person()
  const list = await api(lists.create, { body: { name: 'Friends' } })
  const contact = await api(contacts.create, { body: { email: 'a@example.com', lists: [list.id] } })
  expect(await api(lists.update, { params: { id: list.id }, body: { name: 'Good friends' } })).toMatchObject({
    name: 'Good friends',
    contacts: 1,
  })
  expect((await api(lists.list, { query: {} })).items).toMatchObject([
    { id: list.id, contacts: 1, unconfirmed: 0, unsubscribed: 0 },
  ])
  await api(lists.remove, { params: { id: list.id } })
  await expect(api(lists.get, { params: { id: list.id } })).rejects.toEqual(refused(404, 'not_found'))
  expect(await api(contacts.get, { params: { id: contact.id } })).toMatchObject({ email: 'a@example.com', lists: [] })
})

test('list: a contact added to a double opt-in list is unconfirmed', async () => {
  const { api } = await t.person()
  const list = await api(lists.create, { body: { name: 'News', optin: 'double' } })
  await api(contacts.create, { body: { email: 'a@example.com', lists: [list.id] } })
  expect(await api(lists.get, { params: { id: list.id } })).toMatchObject({ contacts: 0, unconfirmed: 1 })
})

test('contact: it is created, changed field by field and removed', async () => {
  const { api } = await t.person()
  const one = await api(lists.create, { body: { name: 'One' } })
  const two = await api(lists.create, { body: { name: 'Two' } })
  const made = await api(contacts.create, {
    body: {
      email: 'Ann@EXAMPLE.com',
      phone: '+4930123456',
      name: 'Ann',
      attributes: { company: 'Acme', age: 41, gone: null },
      lists: [one.id],
    },
  })
  expect(made).toMatchObject({
    email: 'Ann@example.com',
    attributes: { company: 'Acme', age: 41 },
    lists: [one.id],
    source: 'manual',
    suppressed: null,
  })
  const params = { id: made.id }
  const changed = await api(contacts.update, {
    params,
    body: { attributes: { company: null, vip: true }, lists: [two.id] },
  })
  expect(changed).toMatchObject({ name: 'Ann', attributes: { age: 41, vip: true }, lists: [two.id] })
  expect(Object.keys(changed.attributes)).not.toContain('company')
  await expect(api(contacts.update, { params, body: { email: null, phone: null } })).rejects.toEqual(
    refused(400, 'invalid'),
  )
  await api(contacts.remove, { params })
  await expect(api(contacts.get, { params })).rejects.toEqual(refused(404, 'not_found'))
  expect(await api(lists.get, { params: { id: two.id } })).toMatchObject({ contacts: 0 })
})

test('contact: a known address or number is refused with 409 in any case', async () => {
  const { api } = await t.person()
  await api(contacts.create, { body: { email: 'ann@example.com' } })
  await expect(api(contacts.create, { body: { email: 'ANN@Example.COM' } })).rejects.toEqual(
    refused(409, 'address_taken'),
  )
  const ben = await api(contacts.create, { body: { email: 'ben@example.com' } })
  await expect(api(contacts.update, { params: { id: ben.id }, body: { email: 'Ann@example.com' } })).rejects.toEqual(
    refused(409, 'address_taken'),
  )
  await api(contacts.create, { body: { phone: '+4930123456' } })
  await expect(api(contacts.create, { body: { phone: '+4930123456' } })).rejects.toEqual(refused(409, 'address_taken'))
})

test('contact: PUT by address or phone number creates it once and then changes it', async () => {
  const { api } = await t.person()
  const put = (address: string, body: object) => api(contacts.upsert, { params: { address }, body })
  const first = await put('ann@example.com', { name: 'Ann', attributes: { a: 1 } })
  const second = await put('ANN@example.com', { attributes: { b: 2 } })
  expect(second).toMatchObject({
    id: first.id,
    email: 'ann@example.com',
    name: 'Ann',
    attributes: { a: 1, b: 2 },
    source: 'api',
  })
  const third = await put('+4930123456', { name: 'Only a number' })
  expect(await put('+49 30 123456', { name: 'Still' })).toMatchObject({
    id: third.id,
    email: null,
    phone: '+4930123456',
    name: 'Still',
  })
  await expect(put('not an address@', {})).rejects.toEqual(refused(400, 'invalid'))
  await expect(put('nobody@example.com', { email: null, phone: null })).rejects.toEqual(refused(400, 'invalid'))
  const both = await Promise.all(
    Array.from({ length: 8 }, (_, i) => put('race@example.com', { attributes: { [`n${i}`]: i } })),
  )
  expect(new Set(both.map((contact) => contact.id)).size).toBe(1)
  expect(Object.keys((await put('race@example.com', {})).attributes)).toHaveLength(8)
})

test('contact: search finds parts of address, name and number, and pages without gaps', async () => {
  const { api } = await t.person()
  const list = await api(lists.create, { body: { name: 'Some' } })
  for (let i = 0; i < 12; i++) {
    await api(contacts.create, {
      body: {
        email: `user${i}@exam_ple${i % 2}.com`.replace('_', '-'),
        name: `Zoë Number${i} 50%`,
        ...(i % 3 === 0 && { lists: [list.id] }),
      },
    })
  }
  await api(contacts.create, { body: { phone: '+491761234567', name: 'Called' } })
  const find = async (query: object) =>
    (await api(contacts.list, { query })).items.map((contact) => contact.name || contact.email)
  expect(await find({ q: 'NUMBER11' })).toEqual(['Zoë Number11 50%'])
  expect(await find({ q: 'user7@' })).toHaveLength(1)
  expect(await find({ q: '50%' })).toHaveLength(12)
  expect(await find({ q: '5_%' })).toHaveLength(0)
  expect(await find({ q: '+49 176 1234' })).toEqual(['Called'])
  expect(await find({ q: "'; drop table contacts; --" })).toEqual([])
  expect(await find({ listId: list.id, q: 'zoë' })).toHaveLength(4)
  const seen: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api(contacts.list, { query: { limit: 5, ...(cursor && { cursor }) } })
    seen.push(...page.items.map((contact) => contact.id))
    if (!cursor) expect(page.total).toBe(13)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  expect(new Set(seen).size).toBe(13)
  expect(await api(contacts.list, { query: { listId: list.id, limit: 3 } })).toMatchObject({
    total: 4,
    items: [{}, {}, {}],
  })
  await expect(api(contacts.list, { query: { cursor: 'nonsense' } })).rejects.toEqual(refused(400, 'invalid'))
})

test('contact: contacts, lists and suppressions of other workspaces cannot be read or changed', async () => {
  const [mine, other] = [await t.person(), await t.person()]
  const list = await other.api(lists.create, { body: { name: 'Secret' } })
  const contact = await other.api(contacts.create, { body: { email: 'secret@example.com', lists: [list.id] } })
  const suppression = await other.api(suppressions.create, { body: { address: 'never@example.com' } })
  const { api } = mine
  expect((await api(contacts.list, { query: { q: 'secret' } })).items).toEqual([])
  expect((await api(contacts.list, { query: { listId: list.id } })).items).toEqual([])
  for (const attempt of [
    () => api(contacts.get, { params: { id: contact.id } }),
    () => api(contacts.update, { params: { id: contact.id }, body: { name: 'Mine' } }),
    () => api(contacts.remove, { params: { id: contact.id } }),
    () => api(lists.get, { params: { id: list.id } }),
    () => api(lists.update, { params: { id: list.id }, body: { name: 'Mine' } }),
    () => api(lists.remove, { params: { id: list.id } }),
    () => api(suppressions.remove, { params: { id: suppression.id } }),
  ]) {
    await expect(attempt()).rejects.toEqual(refused(404, 'not_found'))
  }
  await expect(api(contacts.create, { body: { email: 'a@example.com', lists: [list.id] } })).rejects.toEqual(
    refused(400, 'invalid'),
  )
  await expect(api(contacts.create, { body: { email: 'a@example.com', lists: ['999999999'] } })).rejects.toEqual(
    refused(400, 'invalid'),
  )
  expect(await other.api(contacts.get, { params: { id: contact.id } })).toMatchObject({ name: '', lists: [list.id] })
})

test('contact: the limit of the plan refuses new contacts and not changes', async () => {
  const person = await t.person({ plan: 'free' })
  await t.services.pool.query(
    "insert into contacts (workspace_id, email, email_key) select $1, n || '@example.com', n || '@example.com' from generate_series(1, 500) n",
    [person.workspaceId],
  )
  await expect(person.api(contacts.create, { body: { email: 'one.more@example.com' } })).rejects.toEqual(
    refused(402, 'quota_used_up'),
  )
  await expect(person.api(contacts.upsert, { params: { address: 'one.more@example.com' }, body: {} })).rejects.toEqual(
    refused(402, 'quota_used_up'),
  )
  expect(
    await person.api(contacts.upsert, { params: { address: '7@example.com' }, body: { name: 'Seven' } }),
  ).toMatchObject({ name: 'Seven' })
})

test('suppression: it is stored once, shown with the contact, and lifted only if set manually', async () => {
  const { api } = await t.person()
  const contact = await api(contacts.create, { body: { email: 'Ann@example.com' } })
  const made = await api(suppressions.create, { body: { address: ' ANN@example.com', note: 'asked by phone' } })
  expect(await api(suppressions.create, { body: { address: 'ann@example.com', reason: 'complaint' } })).toEqual(made)
  expect(await api(contacts.get, { params: { id: contact.id } })).toMatchObject({ suppressed: 'manual' })
  await api(suppressions.remove, { params: { id: made.id } })
  expect(await api(contacts.get, { params: { id: contact.id } })).toMatchObject({ suppressed: null })
  for (const reason of ['unsubscribe', 'complaint'] as const) {
    const kept = await api(suppressions.create, { body: { address: `${reason}@example.com`, reason } })
    await expect(api(suppressions.remove, { params: { id: kept.id } })).rejects.toEqual(
      refused(409, 'stays_suppressed'),
    )
  }
  expect(await api(suppressions.create, { body: { address: '+49 30 123456' } })).toMatchObject({
    channel: 'whatsapp',
    address: '+4930123456',
  })
  expect((await api(suppressions.list, { query: { q: 'compl' } })).items).toHaveLength(1)
  await expect(api(suppressions.create, { body: { address: 'nobody' } })).rejects.toEqual(refused(400, 'invalid'))
})
