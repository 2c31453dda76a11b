import { rampAllowance, rampDay } from '#server/engine/index.ts'

/**
 * How many messages any 24 hours may hold for an account with a slow start: 50 in the first, half as many more each day,
 * up to `perDay`. `rampFrom`: when its first message left; null before.
 */
export function rampLimit(perDay: number, rampUp: boolean, rampFrom: Date | null, now: number): number {
  return rampUp ? Math.min(perDay, rampAllowance(rampDay(rampFrom, now))) : perDay
}
