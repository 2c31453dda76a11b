import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createGate,
  dayAllowance,
  dayBucket,
  dayRoomAt,
  type Gate,
  retryDelay,
  slotStep,
  TOLERANCE_MS,
  takeSlots,
} from '../index.ts'
import { virtualTime, worstWindow } from './clock.fixture.ts'
import type { Clock } from './clock.ts'

test('pace: no sliding window exceeds the limit with stalls, slow databases and restarts', async () => {
  const worker = fc.record({
    offset: fc.integer({ min: -1e9, max: 1e9 }),
    stalls: fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 1, maxLength: 30 }),
    latency: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.double({ min: 0, max: 20, noNaN: true }) },
        fc.double({ min: 0, max: 90, noNaN: true }),
      ),
      { minLength: 2, maxLength: 6 },
    ),
    batch: fc.integer({ min: 1, max: 8 }),
    restartEvery: fc.integer({ min: 3, max: 40 }),
  })
  let messages = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0.5, 1, 1.5, 3, 10, 100),
      fc.array(worker, { minLength: 1, maxLength: 4 }),
      async (perSecond, workers) => {
        const time = virtualTime()
        const left: number[] = []
        let next = 0
        const step = slotStep(perSecond)
        for (const { offset, stalls, latency, batch, restartEvery } of workers) {
          let calls = 0
          const lag = () => time.sleep(latency[calls++ % latency.length] as number)
          const reserve = async (count: number) => {
            await lag()
            const now = time.now()
            const taken = takeSlots(next, now, count, step)
            next = taken.next
            await lag()
            return { now, slots: taken.slots }
          }
          const clock: Clock = { now: () => time.now() + offset, sleep: (ms) => time.sleep(ms) }
          const fresh = () => createGate({ reserve, batch, clock })
          void (async () => {
            let gate: Gate = fresh()
            for (let i = 0; left.length < 400; i++) {
              if (i % restartEvery === restartEvery - 1) gate = fresh()
              try {
                const turn = await gate.approach()
                if (i % 3 === 0) await time.sleep(stalls[i % stalls.length] as number)
                if (i % 7 === 6) turn?.cancel()
                else {
                  await turn?.pass()
                  turn?.left()
                  left.push(time.now())
                }
              } catch {
                // A database too slow to keep a pace with: the job comes back later, with a new gate.
                await time.sleep(1000)
                gate = fresh()
              }
            }
          })()
        }
        await time.run(20_000 / perSecond)
        messages += left.length
        const window = perSecond < 1 ? 1000 / perSecond : 1000
        expect(worstWindow(left, window)).toBeLessThanOrEqual(Math.max(1, Math.ceil(perSecond)))
        if (perSecond === 1.5) expect(worstWindow(left, 2000)).toBeLessThanOrEqual(3)
      },
    ),
    { numRuns: 60 },
  )
  expect(messages).toBeGreaterThan(500)
}, 120_000)

test('pace: an undisturbed worker loses no more than the tolerance', async () => {
  const time = virtualTime()
  const left: number[] = []
  let next = 0
  const reserve = async (count: number) => {
    const taken = takeSlots(next, time.now(), count, slotStep(20))
    next = taken.next
    return { now: time.now(), slots: taken.slots }
  }
  const gate = createGate({ reserve, batch: 5, clock: { now: time.now, sleep: (ms) => time.sleep(ms) } })
  void (async () => {
    while (left.length < 1000) {
      const turn = await gate.approach()
      await turn?.pass()
      turn?.left()
      left.push(time.now())
    }
  })()
  await time.run(10_000)
  expect(left.length).toBeGreaterThanOrEqual(Math.floor((10_000 / (1000 + TOLERANCE_MS)) * 20) - 1)
})

test('pace: an occasional slow reply of the database is survived, and constant ones are reported', async () => {
  const time = virtualTime()
  let next = 0
  let calls = 0
  const slowly = (slow: (call: number) => boolean) => async (count: number) => {
    const lag = slow(calls++) ? 200 : 2
    await time.sleep(lag)
    const taken = takeSlots(next, time.now(), count, slotStep(10))
    next = taken.next
    const now = time.now()
    await time.sleep(lag)
    return { now, slots: taken.slots }
  }
  const clock: Clock = { now: time.now, sleep: (ms) => time.sleep(ms) }
  const sometimes = createGate({ reserve: slowly((call) => call % 2 === 1), clock })
  const passed = Promise.all(Array.from({ length: 5 }, async () => (await sometimes.approach())?.pass()))
  await time.run(5000)
  await passed
  const always = createGate({ reserve: slowly(() => true), clock })
  const refused = expect(always.approach()).rejects.toThrow('longer than 50 ms')
  await time.run(60_000)
  await refused
})

test('pace: an aborted wait rejects', async () => {
  const reserve = async () => ({ now: 0, slots: [60_000] })
  const gate = createGate({ reserve })
  const stop = new AbortController()
  const waiting = gate.approach(stop.signal)
  stop.abort()
  await expect(waiting).rejects.toThrow()
})

test('pace: retries start after 30 to 120 s, get rarer and end within 72 hours', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (stream) => {
      const random = () => stream.next().value as number
      let elapsed = 0
      let attempt = 1
      for (;;) {
        const delay = retryDelay(attempt, elapsed, random)
        if (delay === null) break
        if (attempt === 1) expect(delay >= 30_000 && delay <= 120_000).toBe(true)
        else expect(delay).toBeGreaterThanOrEqual(240_000)
        elapsed += delay
        expect(elapsed).toBeLessThanOrEqual(72 * 3_600_000)
        attempt++
        expect(attempt).toBeLessThan(40)
      }
      expect(elapsed).toBeGreaterThan(55 * 3_600_000)
    }),
  )
})

test('pace: no sliding 24 hours exceed the daily limit, even if messages leave 5 minutes after their claim', () => {
  const gaps = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 4 * 3_600_000 }), fc.integer({ min: 1, max: 60 }), fc.nat(5 * 60_000)),
    { minLength: 5, maxLength: 80 },
  )
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 100 }), (steps, limit) => {
      const buckets = new Map<number, number>()
      const left: number[] = []
      let now = 1_700_000_000_000
      for (const [gap, wish, hold] of steps) {
        now += gap
        const allowed = dayAllowance(
          limit,
          Array.from(buckets, ([start, used]) => ({ start, used })),
          now,
        )
        const taken = Math.min(wish, allowed)
        buckets.set(dayBucket(now), (buckets.get(dayBucket(now)) ?? 0) + taken)
        for (let i = 0; i < taken; i++) left.push(now + hold)
      }
      expect(
        worstWindow(
          left.toSorted((a, b) => a - b),
          24 * 3_600_000,
        ),
      ).toBeLessThanOrEqual(limit)
    }),
  )
})

test('pace: a daily limit has room again at the first moment at which one more message is allowed', () => {
  const bucket = fc.record({ start: fc.integer({ min: 0, max: 300 }), used: fc.integer({ min: 0, max: 5 }) })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 }), fc.array(bucket, { maxLength: 20 }), (perDay, drawn) => {
      const buckets = drawn.map(({ start, used }) => ({ start: start * 300_000, used }))
      const now = 301 * 300_000
      const at = dayRoomAt(perDay, buckets, now)
      expect(at === null).toBe(perDay === 0)
      if (at === null) return
      expect(dayAllowance(perDay, buckets, at)).toBeGreaterThan(0)
      if (at > now) expect(dayAllowance(perDay, buckets, at - 1)).toBe(0)
    }),
  )
})
