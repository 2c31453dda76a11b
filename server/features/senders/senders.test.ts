import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { senders } from '#contracts/senders.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { localhostCertificate, localhostKey } from '#server/testing/localhost-certificate.ts'
import { sendingAccount } from './index.ts'

const stops: (() => unknown)[] = []

/** A mail server with one account: ada, with the password `right`. Keeps what it is given. */
async function mailServer(options: SMTPServerOptions = {}) {
  const mails: Buffer[] = []
  const server = new SMTPServer({
    disableReverseLookup: true,
    logger: false,
    authMethods: ['PLAIN', 'LOGIN'],
    key: localhostKey,
    cert: localhostCertificate,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ada' && password === 'right' ? done(null, { user: 'ada' }) : done(Object.assign(new Error('5.7.8 Bad credentials'), { responseCode: 535 })),
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('nobody') ? Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 }) : null),
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks))
        done(null)
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  stops.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, mails }
}

async function tcpServer(onConnection: (socket: net.Socket) => void) {
  const server = net.createServer(onConnection).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  stops.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function closedPort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

let t: TestApp
let ada: Person
let eve: Person
let plain: Awaited<ReturnType<typeof mailServer>>
let starttls: Awaited<ReturnType<typeof mailServer>>
let wrapped: Awaited<ReturnType<typeof mailServer>>
let ports: { silent: number; talker: number; closed: number }

beforeAll(async () => {
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, localhostCertificate])
  stops.push(() => tls.setDefaultCACertificates(trusted))
  plain = await mailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  starttls = await mailServer()
  wrapped = await mailServer({ secure: true })
  ports = {
    silent: await tcpServer(() => undefined),
    talker: await tcpServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
    closed: await closedPort(),
  }
  const all = [plain.port, starttls.port, wrapped.port, ...Object.values(ports)]
  t = await testApp({ environment: { COLLECTOR_ALLOW_PRIVATE: all.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`]).join(','), MAIL_FROM: 'Postlark <hello@postlark.example>' } })
  ada = await t.person({ name: 'Ada' })
  eve = await t.person({ name: 'Eve' })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  for (const stop of stops) await stop()
})

const server = (port: number, more: object = {}) => ({ host: '127.0.0.1', port, secure: 'none' as const, user: 'ada', password: 'right', fromEmail: 'ada@example.com', ...more })
const add = (port: number, more: object = {}) => ada.api(senders.create, { body: server(port, more) })

test('a working server is saved as working, and its password never comes back', async () => {
  const made = await add(plain.port, { name: 'Office', limits: { perSecond: 2.5, perDay: 1000 } })
  expect(made).toMatchObject({ name: 'Office', state: 'working', user: 'ada', hasPassword: true, isDefault: false, limits: { perSecond: 2.5, perDay: 1000, connections: 10 } })
  expect(made.checkedAt).not.toBeNull()
  const raw = await t.inject({ method: 'GET', url: `/api/senders/${made.id}`, headers: { authorization: `Bearer ${ada.token}` } })
  expect(raw.body).not.toContain('right')
  expect(raw.json()).not.toHaveProperty('password')
  const row = await t.services.db.selectFrom('senders').where('id', '=', made.id).select('passwordEncrypted').executeTakeFirstOrThrow()
  expect(row.passwordEncrypted).not.toContain('right')
  expect((await sendingAccount(t.services, t.services.db, ada.workspaceId, made.id))?.smtp.auth).toEqual({ user: 'ada', password: 'right' })
})

test('STARTTLS and TLS servers work when their certificate is trusted', async () => {
  expect(await add(starttls.port, { host: 'localhost', secure: 'starttls' })).toMatchObject({ state: 'working', secure: 'starttls' })
  expect(await add(wrapped.port, { host: 'localhost', secure: true })).toMatchObject({ state: 'working', secure: 'tls' })
  expect(await add(plain.port, { secure: false })).toMatchObject({ state: 'working', secure: 'none' })
})

test.each([
  ['a wrong password', () => add(plain.port, { password: 'wrong' }), /user name and password/],
  ['a closed port', () => add(ports.closed), /Nothing answers/],
  ['something that is no mail server', () => add(ports.talker), /SMTP/],
  ['STARTTLS where there is none', () => add(plain.port, { secure: 'starttls' }), /STARTTLS/],
  ['TLS on a plain port', () => add(plain.port, { secure: 'tls' }), /encrypted/],
  ['a name that does not exist', () => add(25, { host: 'mail.nothing-here.invalid' }), /not found/],
])('%s is saved as failing with a clear text, within 10 seconds', async (_, create, text) => {
  const began = performance.now()
  const made = await create()
  expect(performance.now() - began).toBeLessThan(11_000)
  expect(made).toMatchObject({ state: 'failing', stateText: expect.stringMatching(text), hasPassword: true })
  expect((await ada.api(senders.get, { params: { id: made.id } })).state).toBe('failing')
})

test.each(['127.0.0.1', 'localhost', '2130706433', '[::1]', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254'])('%s is no mail server a customer may name', async (host) => {
  await expect(ada.api(senders.create, { body: server(2, { host }) })).rejects.toMatchObject({ status: 400, details: [{ field: 'host' }] })
  const { id } = await add(plain.port)
  await expect(ada.api(senders.update, { params: { id }, body: { host, port: 2, password: 'right' } })).rejects.toMatchObject({ status: 400, details: [{ field: 'host' }] })
  expect(await ada.api(senders.get, { params: { id } })).toMatchObject({ host: '127.0.0.1', port: plain.port, state: 'working' })
})

test('a changed connection is tried again; other changes leave its state alone', async () => {
  const { id, checkedAt } = await add(plain.port)
  const renamed = await ada.api(senders.update, { params: { id }, body: { name: 'New', fromName: 'Ada L.', limits: { perDay: 50, perSecond: null } } })
  expect(renamed).toMatchObject({ name: 'New', fromName: 'Ada L.', state: 'working', checkedAt, limits: { perSecond: null, perDay: 50, connections: 10 } })
  expect(await ada.api(senders.update, { params: { id }, body: { password: 'wrong' } })).toMatchObject({ state: 'failing' })
  expect(await ada.api(senders.update, { params: { id }, body: { password: 'right' } })).toMatchObject({ state: 'working' })
  expect(await ada.api(senders.update, { params: { id }, body: { user: '' } })).toMatchObject({ user: null, hasPassword: false })
})

test('a stored password is not sent to another server', async () => {
  const { id } = await add(plain.port)
  await expect(ada.api(senders.update, { params: { id }, body: { host: 'mail.attacker.invalid' } })).rejects.toMatchObject({ status: 400, details: [{ field: 'password' }] })
  expect((await ada.api(senders.get, { params: { id } })).host).toBe('127.0.0.1')
})

test('a test sends one real message and says how it went', async () => {
  const { id } = await add(plain.port, { fromName: 'Ada "L"', fromEmail: 'ada@example.com' })
  const before = plain.mails.length
  expect(await ada.api(senders.test, { params: { id }, body: { to: 'grace@example.com' } })).toMatchObject({ ok: true, kind: 'ok', response: expect.stringMatching(/OK|queued/i) })
  expect(plain.mails.length).toBe(before + 1)
  const mail = await PostalMime.parse(plain.mails.at(-1) as Buffer)
  expect(mail).toMatchObject({ subject: '[Test] This sender works', from: { name: 'Ada "L"', address: 'ada@example.com' }, to: [{ address: 'grace@example.com' }] })
  expect(await ada.api(senders.test, { params: { id }, body: { to: 'nobody@example.com' } })).toMatchObject({ ok: false, kind: 'rejected', response: expect.stringContaining('5.1.1') })
  expect((await ada.api(senders.get, { params: { id } })).state).toBe('working')
})

test.each([
  ['auth', () => server(plain.port, { password: 'wrong' })],
  ['refused', () => server(ports.closed)],
  ['greeting', () => server(ports.talker)],
  ['tls', () => server(plain.port, { secure: 'tls' })],
] as const)('a test that cannot be made says where it stopped: %s', async (kind, body) => {
  const { id } = await ada.api(senders.create, { body: body() })
  const result = await ada.api(senders.test, { params: { id }, body: { to: 'grace@example.com' } })
  expect(result).toMatchObject({ ok: false, kind })
  expect((await ada.api(senders.get, { params: { id } })).stateText).toBe(result.message)
})

test('a server that never answers is given up within 10 seconds, when saved and when tested', async () => {
  const began = performance.now()
  const made = await add(ports.silent)
  expect(performance.now() - began).toBeLessThan(11_000)
  expect(made).toMatchObject({ state: 'failing', stateText: expect.stringMatching(/did not answer/), hasPassword: true })
  expect(await ada.api(senders.test, { params: { id: made.id }, body: { to: 'grace@example.com' } })).toMatchObject({ ok: false, kind: 'timeout' })
  expect(performance.now() - began).toBeLessThan(22_000)
})

test('the default sender leads the list, writes from MAIL_FROM and sends over SMTP_URL', async () => {
  const person = await t.person()
  const { items } = await person.api(senders.list, { query: {} })
  expect(items).toMatchObject([{ isDefault: true, host: null, user: null, hasPassword: false, fromEmail: 'hello@postlark.example', state: 'untested' }])
  const id = items[0]?.id ?? ''
  expect(await person.api(senders.test, { params: { id }, body: { to: 'default@example.com' } })).toMatchObject({ ok: true })
  expect((await t.sink.mailTo('default@example.com')).from?.address).toBe('hello@postlark.example')
  expect(await person.api(senders.update, { params: { id }, body: { fromName: 'P', fromEmail: 'p@example.com', limits: { connections: 3 } } })).toMatchObject({
    state: 'working',
    fromName: 'P',
    fromEmail: 'p@example.com',
    limits: { connections: 3 },
  })
})

test.each([{ host: '127.0.0.1' }, { port: 25 }, { secure: 'tls' as const }, { user: 'x' }, { password: 'x' }])('of the default sender %o cannot be changed', async (body) => {
  const [first] = (await ada.api(senders.list, { query: {} })).items
  await expect(ada.api(senders.update, { params: { id: first?.id ?? '' }, body })).rejects.toMatchObject({ status: 400, details: [{ field: Object.keys(body)[0] }] })
  await expect(ada.api(senders.remove, { params: { id: first?.id ?? '' } })).rejects.toMatchObject({ status: 409, code: 'default_sender' })
})

test('a sender is removed unless a campaign needs it', async () => {
  const { id } = await add(plain.port)
  const campaign = await t.services.db.insertInto('campaigns').values({ workspaceId: ada.workspaceId, name: 'Now', state: 'paused', senderId: id }).returning('id').executeTakeFirstOrThrow()
  await expect(ada.api(senders.remove, { params: { id } })).rejects.toMatchObject({ status: 409, code: 'sender_in_use' })
  await t.services.db.updateTable('campaigns').set({ state: 'sent' }).where('id', '=', campaign.id).execute()
  await ada.api(senders.remove, { params: { id } })
  await expect(ada.api(senders.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test("another workspace's sender is not there", async () => {
  const { id } = await add(plain.port)
  for (const call of [
    () => eve.api(senders.get, { params: { id } }),
    () => eve.api(senders.update, { params: { id }, body: { name: 'x' } }),
    () => eve.api(senders.test, { params: { id }, body: { to: 'x@example.com' } }),
    () => eve.api(senders.remove, { params: { id } }),
  ]) await expect(call()).rejects.toMatchObject({ status: 404 })
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
])('nonsense in %s is refused by name', async (field, more) => {
  await expect(add(plain.port, more)).rejects.toMatchObject({ status: 400, details: [{ field }] })
})

test('a password that can no longer be read is asked for again, and breaks nothing', async () => {
  const { id } = await add(plain.port)
  await t.services.db.updateTable('senders').set({ passwordEncrypted: 'v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }).where('id', '=', id).execute()
  expect(await ada.api(senders.test, { params: { id }, body: { to: 'grace@example.com' } })).toMatchObject({ ok: false, message: expect.stringContaining('Enter it again') })
  expect(await ada.api(senders.get, { params: { id } })).toMatchObject({ state: 'failing' })
  expect(await sendingAccount(t.services, t.services.db, ada.workspaceId, id)).toBeUndefined()
  expect(await ada.api(senders.update, { params: { id }, body: { password: 'right' } })).toMatchObject({ state: 'working' })
})

test('what the sending side is given changes its key with the connection only', async () => {
  const { id } = await add(plain.port)
  const account = () => sendingAccount(t.services, t.services.db, ada.workspaceId, id)
  const first = await account()
  await ada.api(senders.update, { params: { id }, body: { name: 'Other', limits: { perSecond: 5 } } })
  expect((await account())?.key).toBe(first?.key)
  await ada.api(senders.update, { params: { id }, body: { password: 'wrong' } })
  expect((await account())?.key).not.toBe(first?.key)
})

test('without a mail server the default sender says that it is not configured', async () => {
  const services = { config: t.services.config, smtpUrl: undefined }
  const [first] = (await ada.api(senders.list, { query: {} })).items
  expect(await sendingAccount(services, t.services.db, ada.workspaceId, first?.id ?? '')).toBeUndefined()
  await using sink = Object.assign(await startMailSink(), { [Symbol.asyncDispose]: () => sink.stop() })
  const account = await sendingAccount({ ...services, smtpUrl: sink.url.replace('smtp://', 'smtp://u%40x:p%3Aw@') }, t.services.db, ada.workspaceId, first?.id ?? '')
  expect(account?.smtp).toMatchObject({ host: '127.0.0.1', port: sink.port, secure: 'opportunistic', auth: { user: 'u@x', password: 'p:w' } })
})
