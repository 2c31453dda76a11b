import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Values under random keys that are forgotten after their time, and those not used for longest when there are too many. */
export class Expiring<T extends object> {
  readonly #values: LRUCache<string, T>

  constructor(seconds: number) {
    this.#values = new LRUCache({ max: 1_000, ttl: seconds * 1_000 })
  }

  /** Stores a value and returns its key, 256 bits. */
  put(value: T): string {
    const key = randomBytes(32).toString('base64url')
    this.#values.set(key, value)
    return key
  }

  get(key: string | null | undefined): T | undefined {
    return this.#values.get(key ?? '')
  }

  /** Returns a value once. */
  take(key: string | null | undefined): T | undefined {
    const value = this.get(key)
    this.#values.delete(key ?? '')
    return value
  }

  /** All stored values. */
  values(): T[] {
    return [...this.#values.values()]
  }

  /** Forgets what fits. */
  drop(fits: (value: T) => boolean): void {
    for (const [key, value] of this.#values.entries()) if (fits(value)) this.#values.delete(key)
  }
}
