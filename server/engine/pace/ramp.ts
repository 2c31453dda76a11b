/** Daily limits that grow: a new account or mail server is trusted little by little. */

const DAY_MS = 24 * 3_600_000
/** Messages of the first day. */
const FIRST_DAY = 50
/** By how much each day of a plan allows more than the one before: both lead to about 10,000 a day. */
const GROWTH = { 14: 1.5, 30: 1.2 } as const

/** How many days a plan takes. */
export type RampDays = keyof typeof GROWTH

/**
 * A plan of a sender: `from` is when its first message left; null before. `day`: the last day that was begun (enterStep), `isHeld`:
 * it could not go on from there; without them the days follow the time.
 */
export interface RampPlan {
  days: RampDays
  from: Date | null
  day?: number
  isHeld?: boolean
}

/** What became of the messages of a day. `hard`: to addresses that do not exist; `blocked`: refused because of the sender. */
export interface StepResults {
  sent: number
  hard: number
  blocked: number
  complained: number
}

/** Messages that show whether a plan that was held may go on. */
const MIN_SENT = 20
/** Above these a plan does not rise; fewer say too little. */
const MAX_HARD = { least: 3, share: 0.05 }
const MAX_BLOCKED = { least: 3, share: 0.05 }
const MAX_COMPLAINED = { least: 2, share: 0.001 }

/** The day of a ramp, from 0: days are 24 hours since its first message. */
const rampDay = (from: Date | null, now: number): number =>
  // A clock that went back does not lead behind the first day.
  from ? Math.max(0, Math.floor((now - from.getTime()) / DAY_MS)) : 0

/** Messages that the 24 hours of a day (from 0) may hold. */
const rampAllowance = (day: number, growth: number): number => Math.floor(FIRST_DAY * growth ** Math.min(day, 30))

/** The day a plan is on, from 0; `days` and more: it has ended. Its end, and what follows a day it is held at, has to be begun. */
export function planDay({ days, from, day, isHeld }: RampPlan, now: number): number {
  const reached = rampDay(from, now)
  if (day === undefined || reached <= day || day >= days) return reached
  return isHeld ? day : Math.min(reached, days - 1)
}

/** Why the results of a day are too bad for a higher limit; null: they are not. */
export function findStepFault({
  sent,
  hard,
  blocked,
  complained,
}: StepResults): Exclude<keyof StepResults, 'sent'> | null {
  const isOver = (count: number, { least, share }: typeof MAX_HARD) => count >= least && count > sent * share
  if (isOver(hard, MAX_HARD)) return 'hard'
  if (isOver(complained, MAX_COMPLAINED)) return 'complained'
  return isOver(blocked, MAX_BLOCKED) ? 'blocked' : null
}

/** Whether the time of another day has come. */
export const isStepDue = (plan: RampPlan, now: number): boolean =>
  plan.day !== undefined && plan.day < plan.days && rampDay(plan.from, now) > plan.day

/**
 * Begins the day whose time has come, by the results of the one before: where they are bad, or a plan that is held has sent too
 * little to tell, it stays on its day for another 24 hours.
 */
export function enterStep(
  { days, from, day, isHeld }: Required<RampPlan>,
  results: StepResults,
  now: number,
): Required<RampPlan> {
  const reached = rampDay(from, now)
  const stays = findStepFault(results) !== null || (isHeld && results.sent < MIN_SENT)
  if (!stays || !from) return { days, from, day: Math.min(reached, days), isHeld: false }
  return { days, from: new Date(from.getTime() + (reached - day) * DAY_MS), day, isHeld: true }
}

/** The limit of any 24 hours: of the plan while it lasts, and never above `perDay`; null: none. */
export function planLimit(perDay: number | null, plan: RampPlan | null, now: number): number | null {
  if (!plan) return perDay
  const day = planDay(plan, now)
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
