import fc from 'fast-check'
import { expect, test } from 'vitest'
import { untilTick } from './ticks.ts'

test('ticks: the next tick is half an interval away at least and one and a half at most', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 86_400_000 }), (interval) => {
      const pause = untilTick(interval)
      // The clock goes on between two looks at it, and its numbers are not exact.
      expect(pause).toBeGreaterThanOrEqual(interval / 2 - 0.001)
      expect(pause).toBeLessThanOrEqual(interval * 1.5 + 0.001)
    }),
  )
})

test('ticks: intervals that are multiples of one tick together', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 10_000 }), fc.integer({ min: 1, max: 20 }), (interval, times) => {
      const apart = Math.abs(untilTick(interval * times) - untilTick(interval)) % interval
      // The two were taken one after the other.
      expect(Math.min(apart, interval - apart)).toBeLessThan(interval / 4)
    }),
  )
})
