/**
 * How fast a sender may send to one receiver: by the limits its owner set, and as the receiver asked for less. Pure arithmetic:
 * what is stored is when and to what it was slowed down, and everything else follows from the time.
 */
import { permitsFor } from './permits.ts'

const HOUR_MS = 3_600_000
/** Added to each cooldown, as to those of the limit per second: a server that counts by arrival sees messages a little nearer. */
const GUARD_MS = 30
/** How long each step of the recovery lasts, and by how much the next one is faster. */
const STEP_MS = 15 * 60_000
const GROWTH = 1.25
/** Refusals within this time after a halving are of messages that were on their way already. */
const BURST_MS = 5 * 60_000
/** Messages an hour below which nobody is slowed down: fewer would not tell whether the receiver takes more again. */
const MIN_PER_HOUR = 60

/** Limits that were set; null: none. */
export interface ReceiverLimits {
  /** Messages on their way at once. */
  connections: number | null
  perSecond: number | null
  perHour: number | null
}

/** A receiver asked for less: `to` and `from` in messages an hour, `at` in milliseconds since 1970. */
export interface SlowDown {
  to: number
  from: number
  at: number
}

/** Messages an hour at a moment: from `to` a quarter more every quarter of an hour, until `from`; null: it has ended. */
export function slowedRate({ to, from, at }: SlowDown, now: number): number | null {
  // A clock that went back does not lead behind the beginning.
  const steps = Math.max(0, Math.floor((now - at) / STEP_MS))
  const rate = Math.floor(to * GROWTH ** Math.min(steps, 100))
  return rate >= from ? null : rate
}

/** When a slow-down ends, in milliseconds since 1970. */
export function slowedUntil(slowDown: SlowDown): number {
  let at = slowDown.at
  while (slowedRate(slowDown, at) !== null) at += STEP_MS
  return at
}

/**
 * The slow-down after a receiver asked for less: half of what it was sent in an hour (`usual`, where nothing slows it down yet).
 * The same one while what is refused was on its way before.
 */
export function slowDownMore(current: SlowDown | null, usual: number, now: number): SlowDown {
  if (current && now - current.at < BURST_MS) return current
  const rate = current && slowedRate(current, now)
  const half = Math.max(MIN_PER_HOUR, Math.floor((rate ?? usual) / 2))
  // It returns to what it was before the first of several.
  const from = Math.max(rate !== null && current ? current.from : usual, half + 1)
  return { to: half, from, at: now }
}

/**
 * The permits of a receiver (see permits.ts) so that no sliding hour or second holds more than its limits; null: it has none. For N
 * an hour, each of `count` permits is used at most N / count times an hour, rounded down, so that together they are at most N.
 */
export function permitsForReceiver(
  { perSecond, perHour }: Pick<ReceiverLimits, 'perSecond' | 'perHour'>,
  slowed: number | null,
): { count: number; cooldownMs: number } | null {
  const bySecond = perSecond === null ? null : permitsFor(perSecond)
  const hourly = Math.min(perHour ?? Number.POSITIVE_INFINITY, slowed ?? Number.POSITIVE_INFINITY)
  if (hourly === Number.POSITIVE_INFINITY) return bySecond
  const count = Math.min(Math.max(1, Math.ceil(hourly / 3_600)), bySecond?.count ?? Number.POSITIVE_INFINITY)
  const each = Math.max(1, Math.floor(hourly / count))
  return { count, cooldownMs: Math.max(HOUR_MS / each + GUARD_MS, bySecond?.cooldownMs ?? 0) }
}
