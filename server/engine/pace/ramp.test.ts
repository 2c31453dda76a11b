import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayAllowance, dayBucket, planCurve, planLimit, planRisesAt, type RampDays } from '../index.ts'
import { worstWindow } from './clock.fixture.ts'

const DAY = 24 * 3_600_000

test('ramp plan: it leads from 50 to about 10,000 a day, never above the limit of the sender, and ends', () => {
  expect(planCurve(14, null)).toEqual([50, 75, 112, 168, 253, 379, 569, 854, 1281, 1922, 2883, 4324, 6487, 9730])
  expect(planCurve(30, null).filter((_, day) => day % 7 === 0)).toEqual([50, 179, 641, 2300, 8242])
  expect(planCurve(14, 300).at(-1)).toBe(300)
  const plan = { days: 14 as const, from: new Date(DAY) }
  expect([0, 1, 2.5, 14.9, 15].map((day) => planLimit(null, plan, day * DAY))).toEqual([50, 50, 75, 9730, null])
  expect(planLimit(400, plan, 20 * DAY)).toBe(400)
  expect(planRisesAt(plan, 2.5 * DAY)).toBe(3 * DAY)
  expect(planRisesAt(plan, 15 * DAY)).toBeNull()
  expect(planLimit(null, { days: 30, from: null }, 99 * DAY)).toBe(50)
})

test('ramp plan: no sliding 24 hours hold more than the day they end in allows, over several workers', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<RampDays>(14, 30),
      fc.option(fc.integer({ min: 1, max: 2_000 })),
      fc.array(
        fc.record({
          pass: fc.integer({ min: 0, max: 10 * 3_600_000 }),
          wanted: fc.integer({ min: 1, max: 500 }),
          late: fc.integer({ min: 0, max: 240_000 }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      (days, perDay, turns) => {
        const plan = { days, from: new Date(DAY) }
        let now = DAY
        const buckets = new Map<number, number>()
        const left: number[] = []
        for (const { pass, wanted, late } of turns) {
          now += pass
          const limit = planLimit(perDay, plan, now)
          const used = [...buckets].map(([start, used]) => ({ start, used }))
          const taken = limit === null ? 0 : Math.min(wanted, dayAllowance(limit, used, now))
          buckets.set(dayBucket(now), (buckets.get(dayBucket(now)) ?? 0) + taken)
          for (let i = 0; i < taken; i++) left.push(now + late)
          const window = left.toSorted((a, b) => a - b)
          if (limit !== null) expect(worstWindow(window, DAY)).toBeLessThanOrEqual(limit)
        }
      },
    ),
    { numRuns: 40 },
  )
})
