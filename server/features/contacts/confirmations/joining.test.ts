import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { blog } from '#contracts/blog/blog.ts'
import type { ApiClient } from '#contracts/client.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { writeLink } from './confirmation-link.ts'

let t: TestApp
/** The first admin: the blog's subscribers are in their workspace. */
let owner: ApiClient

beforeAll(async () => {
  t = await sharedApp()
  // As server/testing/global-setup.ts made them.
  const body = { email: 'admin@example.com', password: 'the first admin phrase' }
  owner = t.createClient((await t.api(accounts.login, { body })).token)
})

const ask = (email: string) => t.api(blog.subscribe, { body: { email } })
const readers = async () => (await owner(lists.list, { query: {} })).items.find((list) => list.optin === 'double')

async function linkFor(address: string): Promise<string> {
  const email = await t.sink.mailTo(address)
  return /\/c\/\S+/.exec(email.text ?? '')?.[0] ?? ''
}

const press = (url: string, payload = '') =>
  t.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
const findContact = async (address: string) => (await owner(contacts.list, { query: { q: address } })).items[0]

test('blog subscription: a subscriber is stored by the button, and viewing the page changes nothing', async () => {
  const address = 'reader@example.com'
  await ask(address)
  const link = await linkFor(address)
  for (const method of ['GET', 'HEAD'] as const) expect((await t.inject({ method, url: link })).statusCode).toBe(200)
  expect([(await readers())?.contacts, await findContact(address)]).toEqual([0, undefined])
  for (const response of [await press(link), await press(link), await t.inject({ method: 'GET', url: link })])
    expect([response.statusCode, response.body.includes('You are subscribed')]).toEqual([200, true])
  expect(await readers()).toMatchObject({ contacts: 1, unconfirmed: 0 })
  expect(link).not.toContain(Buffer.from(address).toString('base64url').slice(0, 12))
})

test('blog subscription: an unsubscribed person who confirms is subscribed again, to that list only', async () => {
  const address = 'back@example.com'
  const other = await owner(lists.create, { body: { name: 'Other' } })
  await owner(contacts.create, { body: { email: address, lists: [other.id] } })
  await owner(suppressions.create, { body: { address, reason: 'unsubscribe' } })
  await ask(address)
  await press(await linkFor(address))
  const list = await readers()
  expect(await findContact(address)).toMatchObject({ suppressed: null, lists: [list?.id] })
  expect(await owner(lists.get, { params: { id: other.id } })).toMatchObject({ contacts: 0, unsubscribed: 1 })
})

test('blog subscription: an old link does not undo a later unsubscribe', async () => {
  const address = 'gone@example.com'
  await ask(address)
  const link = await linkFor(address)
  await press(link)
  await owner(suppressions.create, { body: { address, reason: 'unsubscribe' } })
  for (const response of [await press(link), await t.inject({ method: 'GET', url: link })])
    expect([response.statusCode, response.body.includes('You are unsubscribed')]).toEqual([200, true])
  expect(await findContact(address)).toMatchObject({ suppressed: 'unsubscribe', lists: [] })
  // Nor where the contact was deleted since.
  await owner(contacts.remove, { params: { id: (await findContact(address))?.id ?? '' } })
  await press(link)
  expect(await findContact(address)).toBeUndefined()
})

test('blog subscription: a link that expired says so, and its page sends a new one', async () => {
  const address = 'late@example.com'
  const list = (await readers()) as { id: string }
  await ask(address)
  const url = await linkFor(address)
  const { db } = t.services
  await sql`update confirmations set expires_at = now() - interval '1 minute' where email = ${address}`.execute(db)
  for (const response of [await t.inject({ method: 'GET', url }), await press(url)])
    expect([response.statusCode, response.body.includes('This link has expired')]).toEqual([410, true])
  expect(await findContact(address)).toBeUndefined()
  expect((await press(url, 'again=1')).body).toContain('Check your inbox')
  await untilPasses(async () => expect(t.sink.received.filter(({ to }) => to.includes(address))).toHaveLength(2))
  const newer = sql<{ id: string; at: number; workspaceId: string }>`
    select id, workspace_id, extract(epoch from requested_at)::float8 as at from confirmations where email = ${address} order by id desc limit 1`
  const [row] = (await newer.execute(db)).rows
  if (row) await press(`/c/${writeLink(t.services.config, row)}`)
  expect(await findContact(address)).toMatchObject({ lists: [list.id], source: 'blog' })
})

test('blog subscription: who did not ask for it says so, and is reminded of nothing', async () => {
  const address = 'not-me@example.com'
  await ask(address)
  const link = await linkFor(address)
  expect((await press(link, 'decline=1')).body).toContain('You will not be asked again')
  expect((await press(link)).statusCode).toBe(404)
  const { rows } = await sql`select from confirmations where email = ${address}`.execute(t.services.db)
  expect([rows.length, await findContact(address)]).toEqual([0, undefined])
})

test('blog subscription: both buttons at the same moment, many times, are each responded to by the page', async () => {
  const address = 'both-buttons@example.com'
  await ask(address)
  const link = await linkFor(address)
  const pages = await Promise.all(Array.from({ length: 12 }, (_, i) => press(link, i % 2 ? 'decline=1' : '')))
  expect(pages.filter(({ statusCode }) => ![200, 404].includes(statusCode)).map(({ body }) => body)).toEqual([])
  const isSubscribed = pages.some(({ body }) => body.includes('You are subscribed'))
  expect(pages.some(({ body }) => body.includes('You will not be asked again'))).toBe(!isSubscribed)
  expect((await findContact(address)) !== undefined).toBe(isSubscribed)
})

test('blog subscription: the response is the same for everybody, and an address gets few emails', async () => {
  const results = await Promise.all(Array.from({ length: 6 }, () => ask('flood@example.com')))
  expect(new Set(results.map((answer) => answer.message)).size).toBe(1)
  await ask('last@example.com')
  await linkFor('last@example.com')
  const emails = t.sink.received.filter(({ to }) => to.includes('flood@example.com'))
  expect(emails.length).toBeLessThanOrEqual(3)
})

test('blog subscription: a changed link responds with 404', async () => {
  await ask('tamper@example.com')
  const link = await linkFor('tamper@example.com')
  const before = (await readers())?.contacts
  for (const url of [`${link}x`, link.replace(/.{3}$/, 'AAA'), '/c/1.2', '/c/abc'])
    if (url !== link) expect((await press(url)).statusCode).toBe(404)
  expect((await readers())?.contacts).toBe(before)
})

test('blog subscription: one visitor can have at most twenty emails sent', async () => {
  const sent = t.sink.received.length
  let refused: unknown
  for (let i = 0; i < 21 && !refused; i++) await ask(`stranger${i}@example.com`).catch((error) => (refused = error))
  expect(refused).toMatchObject({ status: 429 })
  expect(t.sink.received.length - sent).toBeLessThanOrEqual(20)
})
