import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createPermitGate,
  createPools,
  type Gate,
  type Journal,
  type PermitGate,
  permitsFor,
  runSlice,
  type SmtpConnection,
} from '../index.ts'
import { virtualTime, worstWindow } from './clock.fixture.ts'
import type { Clock } from './clock.ts'

type Time = ReturnType<typeof virtualTime>

/** A clock whose timers are late, as on a busy machine. */
const lateClock = (time: Time, lateness: () => number): Clock => ({
  now: time.now,
  sleep: (ms) => time.sleep(ms + lateness()),
})

/** Draws from a list over and over. */
const cycle = (numbers: number[]) => {
  let at = 0
  return () => numbers[at++ % numbers.length] as number
}

test('permits: no sliding window exceeds the limit with stalls, canceled turns and moved permits', async () => {
  const delays = fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 1, maxLength: 20 })
  let messages = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0.5, 1, 1.5, 3, 7, 50),
      fc.array(fc.record({ stalls: delays, late: delays }), { minLength: 1, maxLength: 3 }),
      fc.array(fc.record({ after: fc.integer({ min: 1, max: 900 }), cut: fc.nat(50) }), { maxLength: 30 }),
      async (perSecond, workers, moves) => {
        const time = virtualTime()
        const left: number[] = []
        const { count, cooldownMs } = permitsFor(perSecond)
        const gates: PermitGate[] = workers.map(({ late }) =>
          createPermitGate({ cooldownMs, clock: lateClock(time, cycle(late)) }),
        )
        gates[0]?.resize(count)
        workers.forEach(({ stalls }, number) => {
          const stall = cycle(stalls)
          for (let connection = 0; connection < 3; connection++)
            void (async () => {
              for (let i = 0; left.length < 300; i++) {
                try {
                  const turn = await (gates[number] as Gate).approach()
                  await time.sleep(stall())
                  if (i % 5 === 4) turn?.cancel()
                  else {
                    await turn?.pass()
                    left.push(time.now())
                    turn?.left()
                  }
                } catch {
                  // Another worker has all of it.
                  await time.sleep(50)
                }
              }
            })()
        })
        // What one has given up another one gets, and never more than there is.
        void (async () => {
          for (const { after, cut } of moves) {
            await time.sleep(after)
            for (const [i, gate] of gates.entries()) {
              const others = gates.reduce((sum, other) => sum + (other === gate ? 0 : other.count), 0)
              gate.resize(Math.max(0, Math.min(count - others, i === cut % gates.length ? count : cut % (count + 1))))
            }
          }
        })()
        await time.run(15_000 / Math.min(1, perSecond))
        messages += left.length
        expect(worstWindow(left, perSecond < 1 ? 1000 / perSecond : 1000)).toBeLessThanOrEqual(
          Math.max(1, Math.floor(perSecond)),
        )
      },
    ),
    { numRuns: 60 },
  )
  expect(messages).toBeGreaterThan(500)
}, 120_000)

/** A journal that keeps nothing. */
const noJournal: Journal = { file: '', async handing() {}, replied() {}, close() {}, remove() {} }

/** A mail server in virtual time: how long it takes for an envelope, and for a message. */
function connection(time: Time, envelope: () => number, data: () => number, onMessage: () => void): SmtpConnection {
  return {
    async send(request) {
      await time.sleep(envelope())
      await request.beforeData?.()
      await request.onBeforeFinalDot?.()
      onMessage()
      await time.sleep(data())
      return { kind: 'sent', code: 250, enhanced: null, response: 'ok' }
    },
    usable: true,
    opened: false,
    carried: 0,
    quit: async () => {},
    destroy() {},
  }
}

test.each([
  { perSecond: 7, envelope: 30, data: 60 },
  { perSecond: 20, envelope: 30, data: 60 },
  // Longer than an envelope is opened ahead at first.
  { perSecond: 20, envelope: 300, data: 100 },
  { perSecond: 300, envelope: 2, data: 4 },
])('permits: at least 95 % of $perSecond a second are used with slices of a slow database', async (given) => {
  const time = virtualTime()
  const { count, cooldownMs } = permitsFor(given.perSecond)
  // Timers 0 to 20 ms late, 4 on average.
  const gate = createPermitGate({ cooldownMs, clock: lateClock(time, cycle([0, 1, 2, 20, 1, 0, 3, 5])) })
  gate.resize(count)
  const left: number[] = []
  const vary = cycle([0.5, 1, 1.4, 0.8, 1.3])
  const connect = async () =>
    connection(
      time,
      () => given.envelope * vary(),
      () => given.data * vary(),
      () => left.push(time.now()),
    )
  const pool = createPools().get('sender', { connect, size: 10 })
  const recipients = Array.from({ length: count * 5 }, (_, i) => ({ id: `${i}`, email: 'ada@example.com' }))
  const prepared = ({ id }: { id: string }) => ({
    recipientId: id,
    messageId: '',
    from: '',
    to: '',
    needsSmtpUtf8: false,
    data: Buffer.alloc(0),
  })
  const lane = async () => {
    while (time.now() < 60_000) {
      // The database: a slice is claimed, and afterwards closed.
      await time.sleep(150)
      await runSlice({ prepared, recipients, pool, journal: noJournal, gate, onOutcome: () => {} })
      await time.sleep(150)
    }
  }
  void Promise.all([lane(), lane()])
  await time.run(60_000)
  const seconds = (60_000 - (left[0] as number)) / 1000
  expect(left.length / seconds / given.perSecond).toBeGreaterThanOrEqual(0.95)
  expect(worstWindow(left, 1000)).toBeLessThanOrEqual(given.perSecond)
})

test('permits: a worker that lost its share sends nothing until it has the share again', async () => {
  const time = virtualTime()
  let isHeld = true
  const gate = createPermitGate({ cooldownMs: 1000, isHeld: () => isHeld, clock: lateClock(time, () => 0) })
  gate.resize(1)
  const passed: number[] = []
  const send = async () => {
    const turn = await gate.approach()
    await turn?.pass()
    passed.push(time.now())
    turn?.left()
  }
  await send()
  isHeld = false
  void send()
  await time.run(5_000)
  expect(passed).toHaveLength(1)
  isHeld = true
  gate.poke()
  await time.run(10_000)
  expect(passed).toHaveLength(2)
})

test('permits: a wait is rejected if the last permit goes to another worker or the wait is aborted', async () => {
  const gate = createPermitGate({ cooldownMs: 1000 })
  await expect(gate.approach()).rejects.toThrow('other workers')
  gate.resize(1)
  const first = await gate.approach()
  await first?.pass()
  const waiting = gate.approach()
  const stop = new AbortController()
  const aborted = gate.approach(stop.signal)
  stop.abort()
  await expect(aborted).rejects.toThrow('aborted')
  gate.resize(0)
  await expect(waiting).rejects.toThrow('other workers')
  first?.left()
})
