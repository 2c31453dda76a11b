import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { untilPasses } from '#server/testing/until.ts'
import { draft } from './compile/draft.fixture.ts'
import {
  compile,
  createGate,
  createPools,
  createTokens,
  type Outcome,
  openGate,
  openJournal,
  prepare,
  type Recipient,
  type RunSlice,
  readJournal,
  runSlice,
  slotStep,
  takeSlots,
} from './index.ts'
import { type Script, scriptedServer } from './smtp/mail-server.fixture.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const prepared = prepare(await compile(draft()), createTokens('test'))
const people = (count: number): Recipient[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${i + 1}`,
    email: `user${i + 1}@example.com`,
    name: `User ${i + 1}`,
  }))

/** Milliseconds; so many pass only where a server is silent, and that is said where it is. */
const TIMEOUTS = { connect: 5_000, greeting: 5_000, command: 5_000, data: 5_000 }

async function slice(
  script: Script,
  change: Partial<RunSlice> & {
    size?: number
    maxMessages?: number
    count?: number
    timeouts?: Partial<typeof TIMEOUTS>
  } = {},
) {
  const server = await scriptedServer(script)
  const dir = mkdtempSync(path.join(tmpdir(), 'pipeline-'))
  const pools = createPools()
  const { size = 3, count = 30, maxMessages, timeouts, ...rest } = change
  const smtp = {
    host: '127.0.0.1',
    port: server.port,
    secure: 'none' as const,
    timeouts: { ...TIMEOUTS, ...timeouts },
  }
  const pool = pools.get('sender', { smtp, size, ...(maxMessages ? { maxMessages } : {}) })
  const journal = openJournal(dir, 'claim')
  cleanups.push(
    () => server.close(),
    () => pools.close(),
    () => rmSync(dir, { recursive: true }),
    () => journal.close(),
  )
  const outcomes = new Map<string, Outcome>()
  const onOutcome = (id: string, outcome: Outcome) => {
    expect(outcomes.has(id)).toBe(false)
    outcomes.set(id, outcome)
  }
  const recipients = rest.recipients ?? people(count)
  const run = runSlice({ prepared, pool, journal, gate: openGate, onOutcome, ...rest, recipients })
  const finish = async () => {
    const result = await run
    // The accounting rule: each recipient exactly once, told or released.
    expect([...outcomes.keys(), ...result.released].toSorted()).toEqual(recipients.map(({ id }) => id).toSorted())
    journal.close()
    return { ...result, outcomes, kinds: countKinds(outcomes), journal: readJournal(journal.file), server }
  }
  return { finish, server, journal }
}

function countKinds(outcomes: Map<string, Outcome>): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const { kind } of outcomes.values()) kinds[kind] = (kinds[kind] ?? 0) + 1
  return kinds
}

const addresses = (received: { to: string }[]) => received.map(({ to }) => to).toSorted()
const expected = (count: number) =>
  people(count)
    .map(({ email }) => `RCPT TO:<${email}>`)
    .toSorted()

test('pipeline: every recipient gets exactly one message over at most the allowed connections', async () => {
  const { kinds, released, problem, server, journal, outcomes } = await (await slice({}, { count: 300 })).finish()
  expect({ kinds, released, problem }).toEqual({ kinds: { sent: 300 }, released: [], problem: null })
  expect(addresses(server.received)).toEqual(expected(300))
  expect(server.connections).toBe(3)
  expect([...journal].toSorted()).toEqual([...outcomes].toSorted())
})

test('pipeline: a connection is renewed after its maximum of messages or a hang-up, and nothing is lost', async () => {
  const renewed = await (await slice({}, { maxMessages: 7, size: 2, count: 50 })).finish()
  expect(renewed.kinds).toEqual({ sent: 50 })
  expect(renewed.server.connections).toBeGreaterThanOrEqual(Math.ceil(50 / 7))
  const limited: Script = { reply: (line, { messages }) => (line.startsWith('MAIL') && messages >= 5 ? 'drop' : null) }
  const hung = await (await slice(limited, { size: 2, count: 50 })).finish()
  expect(hung).toMatchObject({ kinds: { sent: 50 }, problem: null })
  expect(addresses(hung.server.received)).toEqual(expected(50))
})

test('pipeline: connections stay open for the next slice and are closed with QUIT when idle', async () => {
  const server = await scriptedServer()
  const pools = createPools()
  cleanups.push(
    () => server.close(),
    () => pools.close(),
  )
  const smtp = { host: '127.0.0.1', port: server.port, secure: 'none' as const }
  const pool = pools.get('sender', { smtp, size: 1, idleMs: 40 })
  expect(pools.get('sender', { smtp, size: 1 })).toBe(pool)
  const first = await pool.acquire()
  const waiting = pool.acquire()
  pool.release(first)
  expect(await waiting).toBe(first)
  pool.release(first)
  await untilPasses(async () => expect(server.lines).toContain('QUIT'))
  expect(server.connections).toBe(1)
})

test('pipeline: each reply becomes the outcome of its own recipient', async () => {
  const script: Script = {
    reply: (line) => {
      const number = Number(/RCPT TO:<user(\d+)@/.exec(line)?.[1] ?? 0)
      if (number && number % 10 === 1) return '550 5.1.1 no such user'
      if (number && number % 10 === 2) return '451 4.7.1 greylisted'
      return null
    },
  }
  const { outcomes, kinds } = await (await slice(script, { count: 100 })).finish()
  expect(kinds).toEqual({ sent: 80, failed: 10, deferred: 10 })
  for (const [id, outcome] of outcomes) {
    const kind = Number(id) % 10 === 1 ? 'failed' : Number(id) % 10 === 2 ? 'deferred' : 'sent'
    expect(outcome, id).toMatchObject({ kind, class: { failed: 'hard', deferred: 'soft', sent: null }[kind] })
  }
})

test('pipeline: an invalid address fails alone, and the server never sees it', async () => {
  const recipients = [...people(3), { id: '99', email: 'x@y.z\r\nRCPT TO:<evil@evil.test>' }]
  const { outcomes, kinds, server } = await (await slice({}, { recipients })).finish()
  expect(kinds).toEqual({ sent: 3, failed: 1 })
  expect(outcomes.get('99')).toMatchObject({ kind: 'failed', class: 'hard', code: null })
  expect(server.lines.join()).not.toContain('evil')
})

test('pipeline: a problem of the sender releases all messages and fails none', async () => {
  const cases: [Script, string][] = [
    [{ greeting: '554 5.7.1 blocked' }, 'greeting'],
    [{ greeting: 'silent' }, 'timeout'],
    [{ reply: (line) => (line.startsWith('MAIL') ? '550 5.7.1 sender not allowed' : null) }, 'sender'],
  ]
  for (const [script, kind] of cases) {
    const { problem, released, outcomes } = await (await slice(script, { timeouts: { greeting: 300 } })).finish()
    expect(problem).toMatchObject({ kind })
    expect([released.length, outcomes.size]).toEqual([30, 0])
  }
})

test('pipeline: a wrong password is tried on one connection, and all messages are released', async () => {
  const script: Script = {
    capabilities: ['AUTH PLAIN'],
    reply: (line) => (line.startsWith('AUTH') ? '535 5.7.8 wrong' : null),
  }
  const server = await scriptedServer(script)
  const pools = createPools()
  cleanups.push(
    () => server.close(),
    () => pools.close(),
  )
  const dir = mkdtempSync(path.join(tmpdir(), 'pipeline-'))
  const journal = openJournal(dir, 'claim')
  cleanups.push(
    () => rmSync(dir, { recursive: true }),
    () => journal.close(),
  )
  const pool = pools.get('s', {
    smtp: { host: '127.0.0.1', port: server.port, secure: 'none', auth: { user: 'a', password: 'b' } },
    size: 5,
  })
  const result = await runSlice({
    prepared,
    recipients: people(20),
    pool,
    journal,
    gate: openGate,
    onOutcome: () => expect.unreachable(),
  })
  expect(result.problem).toMatchObject({ kind: 'auth', code: 535 })
  expect(result.problem?.text).toContain('535 5.7.8 wrong')
  expect([result.released.length, server.connections]).toEqual([20, 1])
})

test('pipeline: a server that limits connections gets all messages over those it accepts', async () => {
  const script: Script = {
    reply: (line, { number }) => (line.startsWith('EHLO') && number > 1 ? '421 too many connections' : null),
  }
  const { kinds, problem } = await (await slice(script, { size: 4 })).finish()
  expect({ kinds, problem }).toEqual({ kinds: { sent: 30 }, problem: null })
})

test('pipeline: a server that drops every message becomes a problem of the sender after a few attempts', async () => {
  const { kinds, released, problem, server } = await (
    await slice({ reply: (line) => (line === 'DATA' ? 'drop' : null) }, { size: 2, count: 50 })
  ).finish()
  expect(problem).not.toBeNull()
  expect(kinds.deferred).toBeLessThanOrEqual(7)
  expect(released.length).toBeGreaterThanOrEqual(43)
  expect(server.received).toEqual([])
})

test('pipeline: only messages whose reply was lost are unconfirmed, and the others are sent once', async () => {
  let lost = 0
  const script: Script = {
    reply: (line, { data }) => (line === '.' && /user(7|77)@/.test(data) && lost++ < 2 ? 'drop' : null),
  }
  const { kinds, outcomes, server } = await (await slice(script, { count: 100 })).finish()
  expect(kinds).toEqual({ sent: 98, unconfirmed: 2 })
  expect([outcomes.get('7')?.kind, outcomes.get('77')?.kind]).toEqual(['unconfirmed', 'unconfirmed'])
  expect(new Set(addresses(server.received)).size).toBe(98)
})

test('pipeline: a missing reply makes its message unconfirmed, and later replies are not taken for it', async () => {
  const script: Script = { reply: (line, { data }) => (line === '.' && /user(7|77)@/.test(data) ? 'silent' : null) }
  const { kinds, outcomes } = await (await slice(script, { count: 100, timeouts: { data: 1_000 } })).finish()
  expect(kinds).toEqual({ sent: 98, unconfirmed: 2 })
  expect([outcomes.get('7')?.kind, outcomes.get('77')?.kind]).toEqual(['unconfirmed', 'unconfirmed'])
})

test('pipeline: a server that takes messages and never replies to their end gets ten and those in flight before and after', async () => {
  const script: Script = { reply: (line) => (line === '.' ? 'drop' : null) }
  const { kinds, released, problem } = await (await slice(script, { size: 3, count: 100 })).finish()
  expect(problem).toMatchObject({
    kind: 'silent',
    text: expect.stringMatching(/did not reply to 10 messages in a row/),
  })
  expect(kinds.unconfirmed).toBeLessThanOrEqual(14)
  expect(released.length).toBe(100 - (kinds.unconfirmed ?? 0))
})

test('pipeline: messages of many connections that an outage loses at once are unconfirmed, and the others are sent', async () => {
  let ends = 0
  const script: Script = { reply: (line) => (line === '.' && ends++ < 12 ? 'silent' : null) }
  const { kinds, problem } = await (await slice(script, { size: 12, count: 100, timeouts: { data: 1_000 } })).finish()
  expect(problem).toBeNull()
  expect(kinds).toEqual({ sent: 88, unconfirmed: 12 })
})

test('pipeline: after an abort nothing new is sent, and messages in flight get their outcome', async () => {
  const stop = new AbortController()
  const abort = <T>(reply: T): T => {
    stop.abort()
    return reply
  }
  const script: Script = {
    reply: (line) =>
      line === '.' && stop.signal.aborted === false && server.received.length === 10 ? abort(null) : null,
  }
  const { finish, server } = await slice(script, { signal: stop.signal, count: 200 })
  const { kinds, released, problem } = await finish()
  expect(problem).toBeNull()
  expect(kinds.sent).toBe(server.received.length)
  // Ten before the abort, and at most what three connections had in flight.
  expect(kinds.sent).toBeLessThanOrEqual(14)
  expect(released.length).toBe(200 - (kinds.sent ?? 0))
})

test('pipeline: a silent server delays a stop no longer than the grace period', async () => {
  const stop = new AbortController()
  const abort = <T>(reply: T): T => {
    stop.abort()
    return reply
  }
  const script: Script = {
    reply: (line) => (line === '.' ? abort('silent') : stop.signal.aborted ? 'silent' : null),
  }
  const { finish } = await slice(script, { signal: stop.signal, size: 1, count: 5, graceMs: 30 })
  const { kinds, released } = await finish()
  expect([kinds, released.length]).toEqual([{ unconfirmed: 1 }, 4])
})

test('pipeline: nothing is sent if the journal cannot be written', async () => {
  const full = () => {
    throw new Error('ENOSPC: no space left on device')
  }
  const journal = { file: '', handing: full, replied: () => {}, close: () => {}, remove: () => {} }
  const { finish, server } = await slice({}, { journal })
  const { problem, released } = await finish()
  expect(problem).toMatchObject({ kind: 'journal', text: expect.stringContaining('ENOSPC') })
  expect([released.length, server.received.length]).toEqual([30, 0])
})

test('pipeline: a gate limits the pace of all connections at the final dot', async () => {
  let next = 0
  const reserve = async (count: number) => {
    const now = performance.now()
    const taken = takeSlots(next, now, count, slotStep(40))
    next = taken.next
    return { now, slots: taken.slots }
  }
  const times: number[] = []
  const noteTime = (line: string) => {
    if (line === '.') times.push(performance.now())
    return null
  }
  const gate = createGate({ reserve, batch: 4 })
  const { finish } = await slice({ reply: noteTime }, { gate, count: 60 })
  expect((await finish()).kinds).toEqual({ sent: 60 })
  const elapsed = (times.at(-1) as number) - (times[0] as number)
  expect(elapsed).toBeGreaterThan(59 * slotStep(40) - 100)
})

test('pipeline: a pace that cannot be read stops the slice and releases its messages', async () => {
  const gate = createGate({ reserve: () => Promise.reject(new Error('database gone')) })
  const { problem, released } = await (await slice({}, { gate })).finish()
  expect(problem).toMatchObject({ kind: 'pace', text: expect.stringContaining('database gone') })
  expect(released).toHaveLength(30)
})
