import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayAllowance, dayBucket, planLimit, TOLERANCE_MS, takeSlots } from '#server/engine/index.ts'
import { minuteStep } from '../channels/gmail/pace.ts'

const DAY = 24 * 3_600_000
const MINUTE = 60_000

/** The most moments that any window of this length holds. */
function most(times: number[], length: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(0, ...sorted.map((start, i) => sorted.filter((at, j) => j >= i && at < start + length).length))
}

test('limit: no sliding minute exceeds it, with many workers, stalls and random pauses', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      // When each worker draws, how much longer its pause is, and how late within the tolerance its message leaves.
      fc.array(
        fc.record({
          wait: fc.integer({ min: 0, max: 20_000 }),
          jitter: fc.double({ min: 0, max: 0.6, noNaN: true }),
          late: fc.integer({ min: 0, max: TOLERANCE_MS }),
        }),
        { minLength: 1, maxLength: 200 },
      ),
      (perMinute, draws) => {
        const step = minuteStep(perMinute)
        let [now, next] = [0, 0]
        const left: number[] = []
        for (const { wait, jitter, late } of draws) {
          now += wait
          const taken = takeSlots(next, now, 1, step * (1 + jitter))
          next = taken.next
          left.push((taken.slots[0] ?? 0) + late)
        }
        expect(most(left, MINUTE)).toBeLessThanOrEqual(perMinute)
      },
    ),
    { numRuns: 200 },
  )
})

test('limit: no sliding 24 hours exceed it, with restarts, a slow start and clocks set back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.boolean(),
      fc.array(
        fc.record({
          // Real time that passes; and by how much the clock of the database is set back meanwhile.
          pass: fc.integer({ min: 0, max: 8 * 3_600_000 }),
          back: fc.constantFrom(0, 0, 0, 3_600_000, 2 * 3_600_000),
          wanted: fc.integer({ min: 1, max: 200 }),
          late: fc.integer({ min: 0, max: 240_000 }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      (perDay, rampUp, turns) => {
        let [real, error] = [DAY, 0]
        const buckets = new Map<number, number>()
        const left: number[] = []
        const from = new Date(real)
        for (const { pass, back, wanted, late } of turns) {
          real += pass
          error -= back
          const clock = real + error
          const limit = planLimit(perDay, rampUp ? { days: 14, from } : null, clock) ?? perDay
          const used = [...buckets].map(([start, used]) => ({ start, used }))
          const taken = Math.min(wanted, dayAllowance(limit, used, clock))
          buckets.set(dayBucket(clock), (buckets.get(dayBucket(clock)) ?? 0) + taken)
          left.push(...Array.from({ length: taken }, () => real + late))
        }
        expect(most(left, DAY)).toBeLessThanOrEqual(perDay)
      },
    ),
    { numRuns: 120 },
  )
})
