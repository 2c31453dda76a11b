import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  dayAllowance,
  dayBucket,
  enterStep,
  findStepFault,
  isStepDue,
  planCurve,
  planDay,
  planLimit,
  planRisesAt,
  type RampDays,
} from '../index.ts'
import { worstWindow } from './clock.fixture.ts'

const DAY = 24 * 3_600_000

test('ramp plan: it leads from 50 to about 10,000 a day, never above the limit of the sender, and ends', () => {
  expect(planCurve(14, null)).toEqual([50, 75, 112, 168, 253, 379, 569, 854, 1281, 1922, 2883, 4324, 6487, 9730])
  expect(planCurve(30, null).filter((_, day) => day % 7 === 0)).toEqual([50, 179, 641, 2300, 8242])
  expect(planCurve(14, 500)).toEqual([50, 75, 112, 168, 253, 379, ...Array(8).fill(500)])
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
          hard: fc.integer({ min: 0, max: 20 }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      (days, perDay, turns) => {
        let plan = { days, from: new Date(DAY) as Date | null, day: 0, isHeld: false }
        let now = DAY
        const buckets = new Map<number, number>()
        const left: number[] = []
        for (const { pass, wanted, late, hard } of turns) {
          now += pass
          if (isStepDue(plan, now)) {
            const results = { sent: 100, hard, blocked: 0, complained: 0 }
            const before = planDay(plan, now - pass)
            plan = enterStep(plan, results, now)
            if (findStepFault(results)) expect(planDay(plan, now)).toBe(before)
          }
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

test('ramp plan: it stays on its day while too many emails bounce or are reported, and until enough show that it may go on', () => {
  const begun = { days: 14 as const, from: new Date(DAY), day: 1, isHeld: false }
  const now = 3.2 * DAY
  expect([isStepDue(begun, 2.9 * DAY), isStepDue(begun, now)]).toEqual([false, true])
  const good = { sent: 75, hard: 3, blocked: 3, complained: 0 }
  expect(enterStep(begun, good, now)).toEqual({ ...begun, day: 2 })
  expect(enterStep(begun, { ...good, sent: 1_999, complained: 2 }, now)).toMatchObject({ day: 1, isHeld: true })
  expect(enterStep(begun, { ...good, blocked: 4 }, now)).toMatchObject({ day: 1, isHeld: true })
  const held = enterStep(begun, { ...good, hard: 4 }, now)
  expect(held).toEqual({ ...begun, from: new Date(2 * DAY), isHeld: true })
  expect([planLimit(null, held, now), planRisesAt(held, now)]).toEqual([75, 4 * DAY])
  // Nothing was sent since: it is held as before. Then enough was.
  const still = enterStep(held, { sent: 19, hard: 0, blocked: 0, complained: 0 }, 4.5 * DAY)
  expect([still.isHeld, planDay(still, 4.5 * DAY), planDay(still, 9 * DAY)]).toEqual([true, 1, 1])
  expect(enterStep(still, { sent: 20, hard: 0, blocked: 0, complained: 0 }, 5.5 * DAY)).toMatchObject({
    day: 2,
    isHeld: false,
  })
  // Its end is begun like a day.
  const last = { ...begun, day: 13 }
  expect(planLimit(null, last, 30 * DAY)).toBe(9730)
  expect(planLimit(null, enterStep(last, good, 30 * DAY), 30 * DAY)).toBeNull()
})
