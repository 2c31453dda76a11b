import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { senders } from '#contracts/senders/senders.ts'
import { testApp } from '#server/testing/app.ts'
import { startNameServer, type Zone } from '#server/testing/name-server.ts'
import { until } from '#server/testing/until.ts'
import { sendingAccount } from './index.ts'
import { appWithMailServers } from './testing.ts'

type Trial = Awaited<ReturnType<typeof appWithMailServers>>
let m: Trial['m']
let t: Trial['t']
let ada: Trial['ada']
let server: Trial['server']
let add: Trial['add']
let stop: Trial['stop']

beforeAll(async () => {
  ;({ m, t, ada, server, add, stop } = await appWithMailServers())
})
afterAll(() => stop())

test('sender: a working mail server is saved as working, and its password is never returned', async () => {
  const made = await add(m.plain.port, { name: 'Office', limits: { perSecond: 2.5, perDay: 1000 } })
  expect(made).toMatchObject({
    name: 'Office',
    state: 'working',
    user: 'ada',
    hasPassword: true,
    isDefault: false,
    limits: { perSecond: 2.5, perDay: 1000, connections: 10 },
  })
  expect(made.checkedAt).not.toBeNull()
  const raw = await t.inject({
    method: 'GET',
    url: `/api/senders/${made.id}`,
    headers: { authorization: `Bearer ${ada.token}` },
  })
  expect(raw.body).not.toContain('right')
  expect(raw.json()).not.toHaveProperty('password')
  const row = await t.services.db
    .selectFrom('senders')
    .where('id', '=', made.id)
    .select('passwordEncrypted')
    .executeTakeFirstOrThrow()
  expect(row.passwordEncrypted).not.toContain('right')
  expect((await sendingAccount(t.services, t.services.db, ada.workspaceId, made.id))?.smtp?.auth).toEqual({
    user: 'ada',
    password: 'right',
  })
})

test('sender: STARTTLS and TLS servers work with a trusted certificate', async () => {
  expect(await add(m.starttls.port, { host: 'localhost', secure: 'starttls' })).toMatchObject({
    state: 'working',
    secure: 'starttls',
  })
  expect(await add(m.wrapped.port, { host: 'localhost', secure: true })).toMatchObject({
    state: 'working',
    secure: 'tls',
  })
  expect(await add(m.plain.port, { secure: false })).toMatchObject({ state: 'working', secure: 'none' })
})

test.each([
  ['a wrong password', () => add(m.plain.port, { password: 'wrong' }), /user name and password/],
  ['a closed port', () => add(m.closed), /No server responds/],
  ['something that is no mail server', () => add(m.talker), /SMTP/],
  ['STARTTLS where there is none', () => add(m.plain.port, { secure: 'starttls' }), /STARTTLS/],
  ['TLS on a plain port', () => add(m.plain.port, { secure: 'tls' }), /encrypted/],
  ['a name that does not exist', () => add(25, { host: 'mail.nothing-here.invalid' }), /not found/],
])('sender: %s is saved as failing with a clear text', async (_, create, text) => {
  const made = await create()
  expect(made).toMatchObject({ state: 'failing', stateText: expect.stringMatching(text), hasPassword: true })
  expect((await ada.api(senders.get, { params: { id: made.id } })).state).toBe('failing')
})

test('sender: a test sends one real message and returns the reply of the server', async () => {
  const { id } = await add(m.plain.port, { fromName: 'Ada "L"', fromEmail: 'ada@example.com' })
  const before = m.plain.mails.length
  expect(await ada.api(senders.test, { params: { id }, body: { to: 'grace@example.com' } })).toMatchObject({
    ok: true,
    kind: 'ok',
    response: expect.stringMatching(/OK|queued/i),
  })
  expect(m.plain.mails.length).toBe(before + 1)
  const mail = await PostalMime.parse(m.plain.mails.at(-1) as Buffer)
  expect(mail).toMatchObject({
    subject: '[Test] This sender works',
    from: { name: 'Ada "L"', address: 'ada@example.com' },
    to: [{ address: 'grace@example.com' }],
  })
  expect(await ada.api(senders.test, { params: { id }, body: { to: 'nobody@example.com' } })).toMatchObject({
    ok: false,
    kind: 'rejected',
    response: expect.stringContaining('5.1.1'),
  })
  expect((await ada.api(senders.get, { params: { id } })).state).toBe('working')
})

test.each([
  ['auth', () => server(m.plain.port, { password: 'wrong' })],
  ['refused', () => server(m.closed)],
  ['greeting', () => server(m.talker)],
  ['tls', () => server(m.plain.port, { secure: 'tls' })],
] as const)('sender: a test that fails returns the kind of problem: %s', async (kind, body) => {
  const { id } = await ada.api(senders.create, { body: body() })
  const result = await ada.api(senders.test, { params: { id }, body: { to: 'grace@example.com' } })
  expect(result).toMatchObject({ ok: false, kind })
  expect((await ada.api(senders.get, { params: { id } })).stateText).toBe(result.message)
})

/**
 * Whether the product ends its connection to the silent server before a timer of ten seconds ends that was started with
 * it. A busy machine delays both.
 */
async function givesUp(connection: number): Promise<boolean> {
  const socket = await until(async () => m.silentSockets[connection], 'a connection')
  const ended = socket.closed || once(socket, 'close').then(() => true)
  // What is due before it, on a machine that delays both, ends first.
  return Promise.race([ended, wait(10_000).then(() => wait(2_000, false))])
}

test('sender: a server that never responds is given up within 10 seconds, when saved and when tested', async () => {
  const adding = add(m.silent)
  expect(await givesUp(0)).toBe(true)
  const made = await adding
  expect(made).toMatchObject({
    state: 'failing',
    stateText: expect.stringMatching(/did not respond/),
    hasPassword: true,
  })
  const testing = ada.api(senders.test, { params: { id: made.id }, body: { to: 'grace@example.com' } })
  expect(await givesUp(1)).toBe(true)
  expect(await testing).toMatchObject({ ok: false, kind: 'timeout' })
})

test('sender: a password that cannot be decrypted is requested again', async () => {
  const { id } = await add(m.plain.port)
  await t.services.db
    .updateTable('senders')
    .set({ passwordEncrypted: 'v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })
    .where('id', '=', id)
    .execute()
  expect(await ada.api(senders.test, { params: { id }, body: { to: 'grace@example.com' } })).toMatchObject({
    ok: false,
    message: expect.stringContaining('Enter it again'),
  })
  expect(await ada.api(senders.get, { params: { id } })).toMatchObject({ state: 'failing' })
  expect(await sendingAccount(t.services, t.services.db, ada.workspaceId, id)).toBeUndefined()
  expect(await ada.api(senders.update, { params: { id }, body: { password: 'right' } })).toMatchObject({
    state: 'working',
  })
})

test('sender: a name that leads to an address that is not public after it was saved is said to', async () => {
  const zone: Zone = {}
  const names = await startNameServer(zone)
  await using t = await testApp({ environment: { DNS_SERVERS: names.address } })
  const { api } = await t.person()
  const { id, state } = await api(senders.create, {
    body: { name: 'Office', fromEmail: 'ann@office.example', host: 'mail.office.example', port: 25, secure: false },
  })
  expect(state).toBe('failing')
  zone['mail.office.example'] = { A: ['127.0.0.1'] }
  expect(await api(senders.test, { params: { id }, body: { to: 'grace@example.com' } })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^mail\.office\.example leads to an address that is not public/),
  })
  await names.stop()
})
