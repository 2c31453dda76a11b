import { expect, test } from 'vitest'
import { describeChange, toPoints } from './labels.ts'

test('dashboard labels: a change is said against the period before, and not at all without one', () => {
  expect(describeChange(5, 4)).toBe('+25%')
  expect(describeChange(9, 10)).toBe('-10%')
  expect(describeChange(4, 4)).toBe('No change')
  expect([describeChange(4, 0), describeChange(null, 4), describeChange(4, null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('dashboard labels: a month has a point for each day, a quarter one for each week, and no day is lost', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      day: `day ${n}`,
      sent: 1,
      opened: 0,
      clicked: 0,
      replied: 0,
      previousSent: 2,
    }))
  expect(toPoints(days(30))).toHaveLength(30)
  const weeks = toPoints(days(90))
  expect(weeks.map(({ sent }) => sent)).toEqual([6, ...Array(12).fill(7)])
  expect(weeks.reduce((sum, { previousSent }) => sum + previousSent, 0)).toBe(180)
})
