/** Daily limits that grow: a new account or mail server is trusted little by little. */

const DAY_MS = 24 * 3_600_000
/** Messages of the first day. */
const FIRST_DAY = 50
/** By how much each day of a plan allows more than the one before: both lead to about 10,000 a day. */
const GROWTH = { 14: 1.5, 30: 1.2 } as const

/** How many days a plan takes. */
export type RampDays = keyof typeof GROWTH

/** A plan of a sender: `from` is when its first message left; null before. */
export interface RampPlan {
  days: RampDays
  from: Date | null
}

/** The day of a ramp, from 0: days are 24 hours since its first message. */
export const rampDay = (from: Date | null, now: number): number =>
  // A clock that went back does not lead behind the first day.
  from ? Math.max(0, Math.floor((now - from.getTime()) / DAY_MS)) : 0

/** Messages that the 24 hours of a day (from 0) may hold. */
export const rampAllowance = (day: number, growth: number = GROWTH[14]): number =>
  Math.floor(FIRST_DAY * growth ** Math.min(day, 30))

/** The limit of any 24 hours: of the plan while it lasts, and never above `perDay`; null: none. */
export function planLimit(perDay: number | null, plan: RampPlan | null, now: number): number | null {
  if (!plan) return perDay
  const day = rampDay(plan.from, now)
  return day >= plan.days ? perDay : Math.min(perDay ?? Number.POSITIVE_INFINITY, rampAllowance(day, GROWTH[plan.days]))
}

/** What a plan allows on each of its days. */
export const planCurve = (days: RampDays, perDay: number | null): number[] =>
  Array.from({ length: days }, (_, day) =>
    Math.min(perDay ?? Number.POSITIVE_INFINITY, rampAllowance(day, GROWTH[days])),
  )

/** When the next day of a plan begins, in milliseconds since 1970; null: it has ended, or not begun. */
export function planRisesAt({ days, from }: RampPlan, now: number): number | null {
  const day = rampDay(from, now)
  return from === null || day >= days ? null : from.getTime() + (day + 1) * DAY_MS
}
