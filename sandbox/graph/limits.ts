import { graphError } from './graph-error.ts'

const TIERS: Record<string, number> = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_1K: 1_000,
  TIER_2K: 2_000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
}
const DAY = 86_400_000
const BURST = 45
const REFILL_MS = 6_000

/** Meta's limits by the clock: throughput of a number, pace toward one person, people written to first in a day. */
export class Limits {
  readonly #seconds = new Map<string, number[]>()
  readonly #pairs = new Map<string, { tokens: number; at: number }>()
  readonly #reached = new Map<string, Map<string, number>>()

  /** Throws 130429 beyond `perSecond` messages of one number in any second. */
  throughput(number: string, perSecond: number, now = Date.now()): void {
    const recent = (this.#seconds.get(number) ?? []).filter((at) => at > now - 1_000)
    if (recent.length >= perSecond) throw graphError(130429)
    recent.push(now)
    this.#seconds.set(number, recent)
  }

  /** Throws 131056 when one person gets more than a message in six seconds, after a burst of 45. */
  pair(number: string, person: string, now = Date.now()): void {
    const key = `${number}:${person}`
    const { tokens, at } = this.#pairs.get(key) ?? { tokens: BURST, at: now }
    const left = Math.min(BURST, tokens + (now - at) / REFILL_MS)
    if (left < 1) throw graphError(131056)
    this.#pairs.set(key, { tokens: left - 1, at: now })
  }

  /** Whether a person outside a window still fits into the portfolio's rolling day. */
  reach(portfolio: string, tier: string, person: string, now = Date.now()): boolean {
    const people = this.#reached.get(portfolio) ?? new Map<string, number>()
    this.#reached.set(portfolio, people)
    const limit = TIERS[tier]
    const seen = people.get(person)
    if (seen === undefined || seen < now - DAY) {
      if (limit !== undefined && people.size >= limit)
        for (const [one, at] of people) if (at < now - DAY) people.delete(one)
      if (limit !== undefined && people.size >= limit) return false
    }
    people.set(person, now)
    return true
  }
}
