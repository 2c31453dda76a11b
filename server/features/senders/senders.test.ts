import { afterAll, beforeAll, expect, test } from 'vitest'
import { senders } from '#contracts/senders/senders.ts'
import type { Person } from '#server/testing/app.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { sendingAccount } from './index.ts'
import { appWithMailServers } from './testing.ts'

type Trial = Awaited<ReturnType<typeof appWithMailServers>>
let m: Trial['m']
let t: Trial['t']
let ada: Trial['ada']
let server: Trial['server']
let add: Trial['add']
let stop: Trial['stop']
let eve: Person

beforeAll(async () => {
  ;({ m, t, ada, server, add, stop } = await appWithMailServers())
  eve = await t.person({ name: 'Eve' })
})
afterAll(() => stop())

test.each(['127.0.0.1', 'localhost', '2130706433', '[::1]', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254'])(
  'sender: the private host %s is refused',
  async (host) => {
    await expect(ada.api(senders.create, { body: server(2, { host }) })).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'host' }],
    })
    const { id } = await add(m.plain.port)
    await expect(
      ada.api(senders.update, { params: { id }, body: { host, port: 2, password: 'right' } }),
    ).rejects.toMatchObject({ status: 400, details: [{ field: 'host' }] })
    expect(await ada.api(senders.get, { params: { id } })).toMatchObject({
      host: '127.0.0.1',
      port: m.plain.port,
      state: 'working',
    })
  },
)

test('sender: a changed connection is checked again, and other changes do not change its state', async () => {
  const { id, checkedAt } = await add(m.plain.port)
  const renamed = await ada.api(senders.update, {
    params: { id },
    body: { name: 'New', fromName: 'Ada L.', limits: { perDay: 50, perSecond: null } },
  })
  expect(renamed).toMatchObject({
    name: 'New',
    fromName: 'Ada L.',
    state: 'working',
    checkedAt,
    limits: { perSecond: null, perDay: 50, connections: 10 },
  })
  expect(await ada.api(senders.update, { params: { id }, body: { password: 'wrong' } })).toMatchObject({
    state: 'failing',
  })
  expect(await ada.api(senders.update, { params: { id }, body: { password: 'right' } })).toMatchObject({
    state: 'working',
  })
  expect(await ada.api(senders.update, { params: { id }, body: { user: '' } })).toMatchObject({
    user: null,
    hasPassword: false,
  })
})

test('sender: a stored password is not sent to another host', async () => {
  const { id } = await add(m.plain.port)
  await expect(
    ada.api(senders.update, { params: { id }, body: { host: 'mail.attacker.invalid' } }),
  ).rejects.toMatchObject({ status: 400, details: [{ field: 'password' }] })
  expect((await ada.api(senders.get, { params: { id } })).host).toBe('127.0.0.1')
})

test('sender: the default sender is first in the list, uses MAIL_FROM and sends over SMTP_URL', async () => {
  const person = await t.person()
  const { items } = await person.api(senders.list, { query: {} })
  expect(items).toMatchObject([
    {
      isDefault: true,
      host: null,
      user: null,
      hasPassword: false,
      fromEmail: 'hello@postlark.example',
      state: 'untested',
    },
  ])
  const id = items[0]?.id ?? ''
  expect(await person.api(senders.test, { params: { id }, body: { to: 'default@example.com' } })).toMatchObject({
    ok: true,
  })
  expect((await t.sink.mailTo('default@example.com')).from?.address).toBe('hello@postlark.example')
  expect(
    await person.api(senders.update, {
      params: { id },
      body: { fromName: 'P', fromEmail: 'p@example.com', limits: { connections: 3 } },
    }),
  ).toMatchObject({
    state: 'working',
    fromName: 'P',
    fromEmail: 'p@example.com',
    limits: { connections: 3 },
  })
})

test.each([{ host: '127.0.0.1' }, { port: 25 }, { secure: 'tls' as const }, { user: 'x' }, { password: 'x' }])(
  'sender: the change %o of the default sender is refused',
  async (body) => {
    const [first] = (await ada.api(senders.list, { query: {} })).items
    await expect(ada.api(senders.update, { params: { id: first?.id ?? '' }, body })).rejects.toMatchObject({
      status: 400,
      details: [{ field: Object.keys(body)[0] }],
    })
    await expect(ada.api(senders.remove, { params: { id: first?.id ?? '' } })).rejects.toMatchObject({
      status: 409,
      code: 'default_sender',
    })
  },
)

test('sender: one used by a campaign cannot be removed, and others can', async () => {
  const { id } = await add(m.plain.port)
  const campaign = await t.services.db
    .insertInto('campaigns')
    .values({ workspaceId: ada.workspaceId, name: 'Now', state: 'paused', senderId: id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await expect(ada.api(senders.remove, { params: { id } })).rejects.toMatchObject({
    status: 409,
    code: 'sender_in_use',
  })
  await t.services.db.updateTable('campaigns').set({ state: 'sent' }).where('id', '=', campaign.id).execute()
  await ada.api(senders.remove, { params: { id } })
  await expect(ada.api(senders.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('sender: a sender of another workspace responds with 404', async () => {
  const { id } = await add(m.plain.port)
  for (const call of [
    () => eve.api(senders.get, { params: { id } }),
    () => eve.api(senders.update, { params: { id }, body: { name: 'x' } }),
    () => eve.api(senders.test, { params: { id }, body: { to: 'x@example.com' } }),
    () => eve.api(senders.remove, { params: { id } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
  expect(await sendingAccount(t.services, t.services.db, eve.workspaceId, id)).toBeUndefined()
})

test.each([
  ['fromEmail', { fromEmail: 'a..b@example.com' }],
  ['fromEmail', { fromEmail: 'x@example.com\r\nBcc: y@example.com' }],
  ['fromName', { fromName: 'A\r\nBcc: y@example.com' }],
  ['host', { host: 'a b' }],
  ['host', { host: 'foo..example' }],
  ['port', { port: 70_000 }],
  ['limits.perSecond', { limits: { perSecond: 1_001 } }],
])('sender: an invalid value of %s is refused by field', async (field, more) => {
  await expect(add(m.plain.port, more)).rejects.toMatchObject({ status: 400, details: [{ field }] })
})

test('sender: fields of Gmail accounts are refused for a mail server', async () => {
  const refusal = (field: string) => ({ status: 400, details: [{ field, message: 'is for Gmail accounts' }] })
  await expect(add(m.plain.port, { limits: { perMinute: 5 } })).rejects.toMatchObject(refusal('limits.perMinute'))
  const { id } = await add(m.plain.port)
  const change = (body: object) => ada.api(senders.update, { params: { id }, body })
  await expect(change({ rampUp: true })).rejects.toMatchObject(refusal('rampUp'))
  await expect(change({ reads: true })).rejects.toMatchObject(refusal('reads'))
  await expect(change({ limits: { perMinute: 5 } })).rejects.toMatchObject(refusal('limits.perMinute'))
})

test('sender: the key of its connection changes only with the connection', async () => {
  const { id } = await add(m.plain.port)
  const account = () => sendingAccount(t.services, t.services.db, ada.workspaceId, id)
  const first = await account()
  await ada.api(senders.update, { params: { id }, body: { name: 'Other', limits: { perSecond: 5 } } })
  expect((await account())?.key).toBe(first?.key)
  await ada.api(senders.update, { params: { id }, body: { password: 'wrong' } })
  expect((await account())?.key).not.toBe(first?.key)
})

test('sender: the default sender is unavailable without a configured mail server', async () => {
  const services = { config: t.services.config, smtpUrl: undefined, sandbox: false, gmail: undefined }
  const [first] = (await ada.api(senders.list, { query: {} })).items
  expect(await sendingAccount(services, t.services.db, ada.workspaceId, first?.id ?? '')).toBeUndefined()
  await using sink = Object.assign(await startMailSink(), { [Symbol.asyncDispose]: () => sink.stop() })
  const account = await sendingAccount(
    { ...services, smtpUrl: sink.url.replace('smtp://', 'smtp://u%40x:p%3Aw@') },
    t.services.db,
    ada.workspaceId,
    first?.id ?? '',
  )
  expect(account?.smtp).toMatchObject({
    host: '127.0.0.1',
    port: sink.port,
    secure: 'opportunistic',
    auth: { user: 'u@x', password: 'p:w' },
  })
})
