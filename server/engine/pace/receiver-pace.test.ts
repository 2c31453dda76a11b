import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bothGates,
  createCountingGate,
  createPermitGate,
  openGate,
  permitsFor,
  permitsForReceiver,
  slowDownMore,
  slowedRate,
  slowedUntil,
} from '../index.ts'
import { virtualTime, worstWindow } from './clock.fixture.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NONE = { connections: null, perSecond: null, perHour: null }

test('receiver pace: a refusal halves it, and it returns in steps of a quarter', () => {
  const slowed = slowDownMore(null, 300, 0)
  expect(slowed).toEqual({ to: 150, from: 300, at: 0 })
  expect([0, 14, 15, 30, 45, 60].map((minute) => slowedRate(slowed, minute * MINUTE))).toEqual([
    150,
    150,
    187,
    234,
    292,
    null,
  ])
  expect(slowedUntil(slowed)).toBe(60 * MINUTE)
  // What was on its way when it was slowed down says nothing new.
  expect(slowDownMore(slowed, 300, 4 * MINUTE)).toBe(slowed)
  expect(slowDownMore(slowed, 300, 20 * MINUTE)).toEqual({ to: 93, from: 300, at: 20 * MINUTE })
  expect(slowDownMore(slowed, 80, 90 * MINUTE)).toEqual({ to: 60, from: 80, at: 90 * MINUTE })
  expect(slowDownMore(null, 0, 0)).toEqual({ to: 60, from: 61, at: 0 })
})

test('receiver pace: no limit needs no permits', () => {
  expect(permitsForReceiver(NONE, null)).toBeNull()
  expect(bothGates(openGate, openGate).open).toBe(true)
})

test('receiver pace: no sliding second or hour exceeds a limit, whatever is set and learned, and most of it is used', () => {
  fc.assert(
    fc.property(
      fc.option(fc.constantFrom(0.01, 0.5, 1, 1.5, 3, 7)),
      fc.option(fc.integer({ min: 1, max: 30_000 })),
      fc.option(fc.integer({ min: 12, max: 30_000 })),
      (perSecond, perHour, slowed) => {
        const permits = permitsForReceiver({ perSecond, perHour }, slowed)
        if (permits === null) {
          expect([perSecond, perHour, slowed]).toEqual([null, null, null])
          return
        }
        const { count, cooldownMs } = permits
        // Each permit as often as it can be: the most that may leave in two hours.
        const uses = Math.ceil((2 * HOUR) / cooldownMs)
        const times = Array.from({ length: uses * count }, (_, i) => Math.floor(i / count) * cooldownMs)
        const hourly = Math.min(perHour ?? Number.POSITIVE_INFINITY, slowed ?? Number.POSITIVE_INFINITY)
        expect(worstWindow(times, HOUR)).toBeLessThanOrEqual(hourly)
        const second = perSecond === null ? null : Math.max(1, Math.floor(perSecond))
        if (perSecond !== null)
          expect(worstWindow(times, perSecond < 1 ? 1_000 / perSecond : 1_000)).toBeLessThanOrEqual(second as number)
        const possible = Math.min(
          hourly,
          (perSecond !== null && perSecond < 1 ? perSecond : (second ?? hourly)) * 3_600,
        )
        expect(worstWindow(times, HOUR)).toBeGreaterThanOrEqual(Math.floor(possible * 0.9) - 1)
      },
    ),
    { numRuns: 60 },
  )
})

test('receiver pace: over several workers neither the limit of the receiver nor that of the sender is exceeded', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 10 }),
      async (perSecond, connections, stalls) => {
        const time = virtualTime()
        const all: number[] = []
        const limited: number[] = []
        let [atOnce, mostAtOnce] = [0, 0]
        const clock = { now: time.now, sleep: time.sleep }
        const [sender, receiver] = [permitsFor(10), permitsFor(perSecond)]
        // Two workers share both limits, as their shares do.
        for (const worker of [0, 1]) {
          const part = (count: number) => Math.floor((count + 1 - worker) / 2)
          const ofSender = createPermitGate({ cooldownMs: sender.cooldownMs, clock })
          ofSender.resize(part(sender.count))
          const ofReceiver = createPermitGate({ cooldownMs: receiver.cooldownMs, clock })
          ofReceiver.resize(part(receiver.count))
          const slots = createCountingGate()
          slots.resize(part(connections))
          const gate = bothGates(slots, bothGates(ofReceiver, ofSender))
          for (let connection = 0; connection < 4; connection++)
            void (async () => {
              for (let i = 0; i < 40; i++) {
                const isLimited = (i + connection) % 2 === 0
                try {
                  const turn = await (isLimited ? gate : ofSender).approach()
                  if (isLimited) mostAtOnce = Math.max(mostAtOnce, ++atOnce)
                  await turn?.pass()
                  all.push(time.now())
                  if (isLimited) limited.push(time.now())
                  turn?.left()
                  await time.sleep(stalls[i % stalls.length] as number)
                  if (isLimited) atOnce--
                  turn?.cancel()
                } catch {
                  await time.sleep(100)
                }
              }
            })()
        }
        await time.run(30_000)
        expect(worstWindow(all, 1_000)).toBeLessThanOrEqual(10)
        expect(worstWindow(limited, 1_000)).toBeLessThanOrEqual(perSecond)
        expect(mostAtOnce).toBeLessThanOrEqual(connections)
        expect(limited.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 25 },
  )
})
