/** Messages of the first day of a slow start, and by how much each day allows more than the one before. */
const FIRST_DAY = 50
const GROWTH = 1.5
const DAY_MS = 24 * 3_600_000

/**
 * How many messages any 24 hours may hold for an account with a slow start: 50 in the first, half as many more each day,
 * up to `perDay`. `rampFrom`: when its first message left; null before.
 */
export function rampLimit(perDay: number, rampUp: boolean, rampFrom: Date | null, now: number): number {
  if (!rampUp) return perDay
  // A clock that went back does not take the account behind its first day.
  const days = rampFrom ? Math.max(0, Math.floor((now - rampFrom.getTime()) / DAY_MS)) : 0
  return Math.min(perDay, Math.floor(FIRST_DAY * GROWTH ** Math.min(days, 30)))
}
