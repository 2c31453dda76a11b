/** Our SMTP client (RFC 5321, pipelining RFC 2920): one message at a time, and an exact answer about what became of it. */
import net from 'node:net'
import { type Capabilities, Connection, type Habits } from './smtp-connection.ts'
import { connectProblem, problem, refusedReply, type SmtpConnectError, type Stage } from './smtp-problem.ts'
import { openSocket, type Reply, Wire } from './smtp-wire.ts'
import type { SenderProblem, SmtpConnection, SmtpOptions, SmtpTimeouts } from './types.ts'

const DEFAULT_TIMEOUTS: SmtpTimeouts = { connect: 15_000, greeting: 30_000, command: 60_000, data: 180_000 }
const EHLO_NAME = /^(?:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*|\[[0-9A-Fa-f.:]+\])$/

/** Connects, encrypts and signs in. Rejects with SmtpConnectError. */
export async function connect(options: SmtpOptions, habits: Habits = { late: 0 }): Promise<SmtpConnection> {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  let stage: Stage = options.secure === 'tls' ? 'tls' : 'connect'
  let wire: Wire | null = null
  try {
    const socket = await openSocket(options, timeouts.connect)
    wire = new Wire(socket, Math.max(5, Math.min(1000, Math.min(...Object.values(timeouts)) / 5)))
    stage = 'greeting'
    const greeting = await wire.read(timeouts.greeting)
    if (greeting.code !== 220) throw refusedReply(stage, greeting)
    let capabilities = await hello(wire, options, timeouts)
    if (options.secure === 'starttls' || (options.secure === 'opportunistic' && capabilities.startTls)) {
      stage = 'tls'
      if (!capabilities.startTls)
        throw problem('tls', `${options.host} does not offer encryption (STARTTLS) on port ${options.port}.`)
      wire.write('STARTTLS\r\n')
      const reply = await wire.read(timeouts.command)
      if (reply.code !== 220) throw refusedReply(stage, reply)
      await wire.startTls(options, timeouts.connect)
      stage = 'greeting'
      capabilities = await hello(wire, options, timeouts)
    }
    if (options.auth) {
      stage = 'auth'
      await signIn(wire, options.auth, capabilities, timeouts.command)
    }
    return new Connection(wire, capabilities, timeouts, habits)
  } catch (error) {
    wire?.destroy()
    throw connectProblem(error, stage, options)
  }
}

/** Connects, signs in and says QUIT; null when all went well, else the reason in plain words. */
export async function verifySmtp(options: SmtpOptions): Promise<SenderProblem | null> {
  try {
    await (await connect(options)).quit()
    return null
  } catch (error) {
    return (error as SmtpConnectError).problem
  }
}

async function hello(wire: Wire, options: SmtpOptions, timeouts: SmtpTimeouts): Promise<Capabilities> {
  const address = wire.localAddress ?? '127.0.0.1'
  const literal = net.isIPv6(address) ? `[IPv6:${address.replace(/%.*/, '')}]` : `[${address}]`
  const name = options.ehloName && EHLO_NAME.test(options.ehloName) ? options.ehloName : literal
  wire.write(`EHLO ${name}\r\n`)
  let reply = await wire.read(timeouts.greeting)
  if (reply.code >= 500) {
    wire.write(`HELO ${name}\r\n`)
    reply = await wire.read(timeouts.greeting)
    reply = { ...reply, lines: reply.lines.slice(0, 1) }
  }
  if (reply.code !== 250) throw refusedReply('greeting', reply)
  return readCapabilities(reply)
}

function readCapabilities(reply: Reply): Capabilities {
  const words = reply.lines.slice(1).map((line) =>
    line
      .trim()
      .toUpperCase()
      .split(/[\s=]+/),
  )
  const find = (name: string) => words.find((line) => line[0] === name)
  return {
    pipelining: Boolean(find('PIPELINING')),
    smtpUtf8: Boolean(find('SMTPUTF8')),
    startTls: Boolean(find('STARTTLS')),
    size: Boolean(find('SIZE')),
    sizeLimit: Number(find('SIZE')?.[1] ?? 0) || 0,
    auth: new Set(words.filter((line) => line[0] === 'AUTH').flatMap((line) => line.slice(1))),
  }
}

async function signIn(
  wire: Wire,
  auth: { user: string; password: string },
  capabilities: Capabilities,
  timeoutMs: number,
): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const say = async (line: string, expected: number) => {
    wire.write(`${line}\r\n`)
    const reply = await wire.read(timeoutMs)
    if (reply.code !== expected) throw refusedReply('auth', reply)
  }
  if (capabilities.auth.has('PLAIN')) return say(`AUTH PLAIN ${base64(`\0${auth.user}\0${auth.password}`)}`, 235)
  if (!capabilities.auth.has('LOGIN')) {
    throw problem(
      'auth',
      'The mail server offers no way to sign in that we know (PLAIN or LOGIN). It may want encryption first.',
    )
  }
  await say('AUTH LOGIN', 334)
  await say(base64(auth.user), 334)
  await say(base64(auth.password), 235)
}
