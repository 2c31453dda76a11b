import { LRUCache } from 'lru-cache'

const MINUTE_MS = 60_000
const MAX_STRANGERS = 10_000

/** How many times a minute each of many strangers may do something. Memory is bounded: the ones unseen for longest are forgotten. */
export class PerMinute {
  readonly #most: number
  readonly #counts = new LRUCache<string, { count: number }>({ max: MAX_STRANGERS, ttl: MINUTE_MS, noUpdateTTL: true })

  constructor(most: number) {
    this.#most = most
  }

  /** Counts one more; false: it is one too many. */
  take(who: string): boolean {
    const known = this.#counts.get(who)
    if (known) return ++known.count <= this.#most
    this.#counts.set(who, { count: 1 })
    return true
  }
}

/** How many each of many strangers has open at a time. */
export class AtOnce {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts one more; false: it is one too many, and is not counted. */
  enter(who: string): boolean {
    const count = this.#open.get(who) ?? 0
    if (count >= this.#most) return false
    this.#open.set(who, count + 1)
    return true
  }

  leave(who: string): void {
    const count = (this.#open.get(who) ?? 0) - 1
    if (count > 0) this.#open.set(who, count)
    else this.#open.delete(who)
  }
}
