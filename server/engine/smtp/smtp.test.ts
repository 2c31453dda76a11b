import { once } from 'node:events'
import net from 'node:net'
import fc from 'fast-check'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { connect, type SendRequest, SmtpConnectError, type SmtpOptions, verifySmtp } from '../index.ts'
import { type Script, type ScriptedServer, scriptedServer } from './mail-server.fixture.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const timeouts = { connect: 2_000, greeting: 1_000, command: 1_000, data: 1_000 }
const local = (port: number, change: Partial<SmtpOptions> = {}): SmtpOptions => ({
  host: '127.0.0.1',
  port,
  secure: 'none',
  timeouts,
  ...change,
})

async function server(script: Script = {}): Promise<ScriptedServer> {
  const started = await scriptedServer(script)
  cleanups.push(() => started.close())
  return started
}

async function session(script: Script = {}, change: Partial<SmtpOptions> = {}) {
  const scripted = await server(script)
  const connection = await connect(local(scripted.port, change))
  cleanups.push(() => connection.destroy())
  return { scripted, connection }
}

const request = (change: Partial<SendRequest> = {}): SendRequest => ({
  from: 'ann@sender.example',
  to: 'bob@example.com',
  data: Buffer.from('Subject: x\r\n\r\nHello\r\n'),
  ...change,
})

/** nodemailer's own server, as an independent judge of our protocol. */
async function judge(options: SMTPServerOptions = {}) {
  const messages: { to: string[]; from: string; body: string; user: unknown }[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      done(username === 'ann' && password === 'right' ? null : new Error('nope'), { user: username ?? '' }),
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        messages.push({
          to: envelope.rcptTo.map((one) => one.address),
          from,
          body: Buffer.concat(chunks).toString(),
          user,
        })
        done()
      })
    },
    ...options,
  })
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  cleanups.push(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
  return { messages, port: (smtp.server.address() as net.AddressInfo).port }
}

test('smtp: a real server receives every message unchanged over one connection, dots included', async () => {
  const { messages, port } = await judge()
  const connection = await connect(local(port))
  const bodies = ['.\r\n', '..\r\n.a\r\n', 'x\r\n.\r\n', 'no line end', `${'y'.repeat(200_000)}\r\n`, '.']
  for (const body of bodies)
    expect(await connection.send(request({ data: Buffer.from(body) }))).toMatchObject({ kind: 'sent', code: 250 })
  await connection.quit()
  expect(messages.map(({ body }) => body)).toEqual(bodies.map((body) => (body.endsWith('\r\n') ? body : `${body}\r\n`)))
  expect(messages[0]).toMatchObject({ from: 'ann@sender.example', to: ['bob@example.com'] })
})

/** The same, and a busy machine has time to respond. */
const patient = (port: number, change: Partial<SmtpOptions> = {}) =>
  local(port, { ...change, timeouts: { connect: 20_000, greeting: 20_000, command: 20_000, data: 20_000 } })

test('smtp: logging in works with PLAIN and LOGIN, over STARTTLS and TLS', async () => {
  for (const authMethods of [['PLAIN'], ['LOGIN']]) {
    const { port } = await judge({ authMethods, authOptional: false, allowInsecureAuth: true })
    expect(await verifySmtp(patient(port, { auth: { user: 'ann', password: 'right' } }))).toBeNull()
    expect(await verifySmtp(patient(port, { auth: { user: 'ann', password: 'wrong' } }))).toMatchObject({
      kind: 'auth',
      code: 535,
    })
  }
  const encrypted = await judge({ disabledCommands: [], authOptional: false })
  const auth = { user: 'ann', password: 'right' }
  expect(await verifySmtp(patient(encrypted.port, { secure: 'starttls', auth, rejectUnauthorized: false }))).toBeNull()
  expect(await verifySmtp(patient(encrypted.port, { secure: 'opportunistic', auth }))).toBeNull()
  expect(await verifySmtp(patient(encrypted.port, { secure: 'starttls', auth }))).toMatchObject({ kind: 'tls' })
  const implicit = await judge({ secure: true })
  expect(await verifySmtp(patient(implicit.port, { secure: 'tls', rejectUnauthorized: false }))).toBeNull()
  expect(await verifySmtp(patient(implicit.port, { secure: 'tls' }))).toMatchObject({ kind: 'tls' })
})

test('smtp: every problem that makes a server unusable is reported by its kind', async () => {
  const closed = net.createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as net.AddressInfo
  closed.close()
  await once(closed, 'close')
  const dns = (_host: string, _options: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))
  const cases: [SmtpOptions, string][] = [
    [local(port), 'refused'],
    [local(1, { host: 'mail.nowhere.example', lookup: dns as never }), 'dns'],
    [local((await server({ greeting: 'silent' })).port), 'timeout'],
    [local((await server({ greeting: '554 5.7.1 go away' })).port), 'greeting'],
    [local((await server({ greeting: 'HTTP/1.1 400 Bad Request' })).port), 'greeting'],
    [local((await server({ greeting: 'drop' })).port), 'greeting'],
    [local((await server({ greeting: '220-hello\r\n220-and\r\n220 welcome', reply: () => 'silent' })).port), 'timeout'],
    [local((await server()).port, { secure: 'starttls' }), 'tls'],
    [local((await server()).port, { secure: 'tls' }), 'tls'],
    [local((await server()).port, { auth: { user: 'a', password: 'b' } }), 'auth'],
    [
      local(
        (await server({ capabilities: ['AUTH PLAIN'], reply: (line) => (line.startsWith('AUTH') ? 'drop' : null) }))
          .port,
        { auth: { user: 'a', password: 'b' } },
      ),
      'auth',
    ],
  ]
  for (const [options, kind] of cases) {
    const problem = await verifySmtp(options)
    expect(problem, kind).toMatchObject({ kind })
    expect(problem?.text).not.toMatch(/undefined|\[object/)
    await expect(connect(options)).rejects.toBeInstanceOf(SmtpConnectError)
  }
})

test('smtp: replies injected before encryption are refused', async () => {
  const { port } = await server({
    capabilities: ['STARTTLS'],
    reply: (line) => (line === 'STARTTLS' ? '220 go\r\n250 injected' : null),
  })
  expect(await verifySmtp(local(port, { secure: 'starttls' }))).toMatchObject({ kind: 'tls' })
})

test('smtp: the envelope is one packet with PIPELINING and separate commands without', async () => {
  const pipelined = await session()
  await pipelined.connection.send(request())
  expect(pipelined.scripted.packets).toContain(
    'MAIL FROM:<ann@sender.example>\r\nRCPT TO:<bob@example.com>\r\nDATA\r\n',
  )
  const plain = await session({ capabilities: ['SIZE 1000'] })
  expect(await plain.connection.send(request())).toMatchObject({ kind: 'sent' })
  expect(plain.scripted.packets).toContain('MAIL FROM:<ann@sender.example> SIZE=21\r\n')
  expect(await plain.connection.send(request({ data: Buffer.alloc(1001, 'x') }))).toMatchObject({
    kind: 'failed',
    enhanced: '5.3.4',
  })
})

test('smtp: after a refused recipient the connection is used again, whatever the reply to DATA was', async () => {
  for (const capabilities of [['PIPELINING'], []]) {
    for (const data of ['354 go', '503 no recipient', '554 none']) {
      const refusing: Script = {
        capabilities,
        reply: (line, { messages }) => {
          if (line.includes('gone@')) return '550 5.1.1 unknown'
          return line === 'DATA' &&
            messages === 0 &&
            capabilities.length > 0 &&
            !refusing.capabilities?.includes('done')
            ? data
            : null
        },
      }
      const { connection, scripted } = await session(refusing)
      let handed = 0
      const onBeforeFinalDot = () => handed++
      expect(await connection.send(request({ to: 'gone@example.com', onBeforeFinalDot }))).toMatchObject({
        kind: 'failed',
        code: 550,
        enhanced: '5.1.1',
        stage: 'rcpt',
      })
      expect(handed).toBe(0)
      refusing.capabilities?.push('done')
      expect(await connection.send(request())).toMatchObject({ kind: 'sent' })
      expect(scripted.received.filter(({ data }) => data !== '')).toHaveLength(1)
      expect(scripted.lines).toContain('RSET')
    }
  }
})

test('smtp: at every command 4xx defers, 5xx fails and 421 also ends the connection', async () => {
  for (const command of ['MAIL', 'RCPT', 'DATA', '.']) {
    for (const [code, kind] of [
      ['451 4.3.0 later', 'deferred'],
      ['550 5.7.1 no', 'failed'],
      ['421 4.3.2 closing', 'deferred'],
    ] as const) {
      let first = true
      const { connection } = await session({
        reply: (line) => {
          if (!line.startsWith(command) || !first) return null
          first = command !== '.' && command !== 'DATA' ? line.startsWith(command) && false : false
          return code
        },
      })
      expect(await connection.send(request()), `${command} ${code}`).toMatchObject({
        kind,
        code: Number(code.slice(0, 3)),
      })
      expect(connection.usable).toBe(!code.startsWith('421'))
    }
  }
})

test('smtp: a connection lost before the final dot means not sent, and after it unconfirmed', async () => {
  for (const reply of ['drop', 'silent', 'garbage that is no reply'] as const) {
    for (const command of ['MAIL', 'RCPT', 'DATA']) {
      const { connection, scripted } = await session({ reply: (line) => (line.startsWith(command) ? reply : null) })
      let handed = false
      const result = await connection.send(request({ onBeforeFinalDot: () => (handed = true) }))
      expect(result, `${command} ${reply}`).toMatchObject({ kind: 'not_sent', code: null })
      expect([handed, connection.usable, scripted.received.length]).toEqual([false, false, 0])
    }
    const { connection } = await session({ reply: (line) => (line === '.' ? reply : null) })
    let handed = false
    expect(await connection.send(request({ onBeforeFinalDot: () => (handed = true) }))).toMatchObject({
      kind: 'unconfirmed',
      code: null,
    })
    expect([handed, connection.usable]).toEqual([true, false])
  }
})

test('smtp: nothing is sent if the journal throws or the turn is refused', async () => {
  const { connection, scripted } = await session()
  const onBeforeFinalDot = () => {
    throw new Error('disk full')
  }
  expect(await connection.send(request({ onBeforeFinalDot }))).toMatchObject({
    kind: 'not_sent',
    response: 'Not sent: disk full',
  })
  const second = await session()
  expect(
    await second.connection.send(request({ beforeData: () => Promise.reject(new Error('stopped')) })),
  ).toMatchObject({ kind: 'not_sent' })
  expect([...scripted.received, ...second.scripted.received]).toEqual([])
})

test('smtp: the next envelope is sent together with the final dot', async () => {
  const { connection, scripted } = await session()
  const second = request({ to: 'second@example.com' })
  expect(await connection.send(request({ next: () => second }))).toMatchObject({ kind: 'sent' })
  expect([connection.opened, connection.usable]).toEqual([true, false])
  expect(await connection.send(second)).toMatchObject({ kind: 'sent' })
  expect(scripted.received.map(({ to }) => to)).toEqual(['RCPT TO:<bob@example.com>', 'RCPT TO:<second@example.com>'])
  const other = await session()
  await other.connection.send(request({ next: () => second }))
  expect(await other.connection.send(request({ to: 'third@example.com' }))).toMatchObject({ kind: 'not_sent' })
  expect(other.scripted.received).toHaveLength(1)
})

test('smtp: a real server receives grouped messages', async () => {
  const { messages, port } = await judge()
  const connection = await connect(local(port))
  const requests = Array.from({ length: 30 }, (_, i) =>
    request({ to: `user${i}@example.com`, data: Buffer.from(`Subject: ${i}\r\n\r\n.${i}\r\n`) }),
  )
  for (const [i, one] of requests.entries()) {
    const next = () => requests[i + 1] ?? null
    expect(await connection.send({ ...one, next })).toMatchObject({ kind: 'sent' })
  }
  await connection.quit()
  expect(messages.map(({ to, body }) => [to[0], body])).toEqual(requests.map(({ to, data }) => [to, data.toString()]))
})

test('smtp: multi-line replies are read to the end, and control characters are removed', async () => {
  const { connection } = await session({
    reply: (line) => (line === '.' ? '250-2.0.0 first\x07\r\n250-2.0.0 second\r\n250 2.0.0 thïrd' : null),
  })
  expect(await connection.send(request())).toMatchObject({
    kind: 'sent',
    enhanced: '2.0.0',
    response: '250 2.0.0 first second thïrd',
  })
})

test('smtp: no address, name or password can add a command', async () => {
  const { connection, scripted } = await session(
    { capabilities: ['PIPELINING', 'SMTPUTF8', 'SIZE'] },
    { ehloName: 'evil\r\nMAIL FROM:<x@y.z>' },
  )
  const before = scripted.lines.length
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\r\n', '\n', '>', ' ', '<', '\0', '\u2028'),
      async (text, evil) => {
        expect(await connection.send(request({ to: `bob${evil}${text}@example.com` }))).toMatchObject({
          kind: 'failed',
          code: null,
        })
        expect(await connection.send(request({ from: `ann@sender.example${evil}${text}` }))).toMatchObject({
          kind: 'failed',
          code: null,
        })
      },
    ),
  )
  expect(scripted.lines).toHaveLength(before)
  expect(scripted.lines).toEqual([expect.stringMatching(/^EHLO \[127\.0\.0\.1\]$/)])
})

test('smtp: an address outside ASCII is sent only to a server with SMTPUTF8', async () => {
  const eai = request({ to: '用户@xn--fsqu00a.xn--55qx5d', needsSmtpUtf8: true })
  const without = await session()
  expect(await without.connection.send(eai)).toMatchObject({ kind: 'failed', code: null, enhanced: '5.6.7' })
  const able = await session({ capabilities: ['PIPELINING', 'SMTPUTF8'] })
  expect(await able.connection.send(eai)).toMatchObject({ kind: 'sent' })
  expect(able.scripted.lines).toEqual(
    expect.arrayContaining(['MAIL FROM:<ann@sender.example> SMTPUTF8', 'RCPT TO:<用户@xn--fsqu00a.xn--55qx5d>']),
  )
})
