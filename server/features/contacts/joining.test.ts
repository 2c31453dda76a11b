import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts.ts'
import { blog } from '#contracts/blog.ts'
import type { ApiClient } from '#contracts/client.ts'
import { contacts, lists, suppressions } from '#contracts/contacts.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'

let t: TestApp
/** The first admin: the blog's readers are in his workspace. */
let owner: ApiClient

beforeAll(async () => {
  t = await testApp()
  // As server/testing/global-setup.ts made him.
  const body = { email: 'admin@example.com', password: 'the first admin phrase' }
  owner = t.clientOf((await t.api(accounts.login, { body })).token)
})
afterAll(() => t[Symbol.asyncDispose]())

const ask = (email: string) => t.api(blog.subscribe, { body: { email } })
const readers = async () => (await owner(lists.list, { query: {} })).items.find((list) => list.optin === 'double')

async function linkFor(address: string): Promise<string> {
  const letter = await t.sink.mailTo(address)
  return /\/confirm\/\S+/.exec(letter.text ?? '')?.[0] ?? ''
}

test('a reader counts once he has confirmed by the button; looking at the page changes nothing', async () => {
  await ask('reader@example.com')
  const link = await linkFor('reader@example.com')
  expect(await readers()).toMatchObject({ contacts: 0, unconfirmed: 1 })
  for (const method of ['GET', 'HEAD'] as const) expect((await t.inject({ method, url: link })).statusCode).toBe(200)
  expect(await readers()).toMatchObject({ contacts: 0, unconfirmed: 1 })

  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const done = await t.inject({ method: 'POST', url: link, headers, payload: '' })
  expect([done.statusCode, done.body.includes('You are subscribed')]).toEqual([200, true])
  expect(await readers()).toMatchObject({ contacts: 1, unconfirmed: 0 })
})

test('whoever unsubscribed and asks again is written to again once he confirms', async () => {
  const address = 'back@example.com'
  await owner(suppressions.create, { body: { address, reason: 'unsubscribe' } as never })
  await ask(address)
  await t.inject({ method: 'POST', url: await linkFor(address) })
  const found = (await owner(contacts.list, { query: { q: address } })).items[0]
  expect(found).toMatchObject({ suppressed: null })
})

test('the answer is the same for everybody, and nobody is flooded with letters', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask('flood@example.com')))
  expect(new Set(answers.map((answer) => answer.message)).size).toBe(1)
  await ask('last@example.com')
  await linkFor('last@example.com')
  const letters = t.sink.received.filter(({ to }) => to.includes('flood@example.com'))
  expect(letters.length).toBeLessThanOrEqual(3)
})

test('a changed link leads nowhere', async () => {
  await ask('tamper@example.com')
  const link = await linkFor('tamper@example.com')
  for (const url of [`${link}x`, link.replace(/.$/, 'A'), '/confirm/1.2', '/confirm/abc'])
    if (url !== link) expect((await t.inject({ method: 'POST', url })).statusCode).toBe(404)
  expect((await readers())?.contacts).toBe(2)
})
