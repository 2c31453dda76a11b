import { expect, test } from 'vitest'
import type { CheckedCoupon } from './labels.ts'
import { summarizeOrder } from './order.ts'

const now = new Date('2027-01-31T12:00:00Z')
const coupon = (duration: CheckedCoupon['duration'], months: number | null = null): CheckedCoupon => ({
  ...{ valid: true, message: '', code: 'SPRING20', percentOff: 20, amountOff: null, duration, months },
  price: { month: 11_920, year: 119_200 },
})

test('order: without a trial the whole price is due today, and the next payment is a calendar month later', () => {
  expect(summarizeOrder({ plan: 'pro', interval: 'month', trial: false }, now)).toEqual({
    ...{ price: 14_900, discount: 0, today: 14_900, trialUntil: null },
    next: '$149.00 every month from 28 Feb 2027',
  })
})

test('order: with a trial nothing is due today, and a coupon reduces the first payment after it', () => {
  expect(summarizeOrder({ plan: 'pro', interval: 'year', trial: true, coupon: coupon('once') }, now)).toEqual({
    ...{ price: 149_000, discount: 29_800, today: 0, trialUntil: '14 Feb 2027' },
    next: '$1,192.00 on 14 Feb 2027, then $1,490.00 every year',
  })
})

test('order: a coupon reduces as many payments as it lasts, and one that does not apply reduces none', () => {
  const next = (given: CheckedCoupon) =>
    summarizeOrder({ plan: 'pro', interval: 'month', trial: false, coupon: given }, now).next
  expect(next(coupon('once'))).toBe('$149.00 every month from 28 Feb 2027')
  expect(next(coupon('repeating', 2))).toBe('$119.20 on 28 Feb 2027, then $149.00 every month')
  expect(next(coupon('repeating', 4))).toBe('$119.20 every month from 28 Feb 2027, 3 times, then $149.00 every month')
  expect(next(coupon('forever'))).toBe('$119.20 every month from 28 Feb 2027')
  expect(next({ ...coupon('forever'), valid: false, price: null })).toBe('$149.00 every month from 28 Feb 2027')
})
