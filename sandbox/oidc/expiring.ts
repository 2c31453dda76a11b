import { randomBytes } from 'node:crypto'

/** Values under random keys that are forgotten after their time, and the oldest of them when there are too many. */
export class Expiring<T> {
  readonly #values = new Map<string, { value: T; until: number }>()
  readonly #seconds: number
  readonly #most: number

  constructor(seconds: number, most = 1_000) {
    this.#seconds = seconds
    this.#most = most
  }

  /** Keeps a value and answers its key, 256 bits. */
  put(value: T): string {
    const key = randomBytes(32).toString('base64url')
    this.#values.set(key, { value, until: Date.now() + this.#seconds * 1_000 })
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest)
    return key
  }

  get(key: string | null | undefined): T | undefined {
    const kept = this.#values.get(key ?? '')
    return kept && kept.until > Date.now() ? kept.value : undefined
  }

  /** Answers a value once. */
  take(key: string | null | undefined): T | undefined {
    const value = this.get(key)
    this.#values.delete(key ?? '')
    return value
  }

  /** Everything that is kept. */
  values(): T[] {
    return [...this.#values.values()].map(({ value }) => value)
  }

  /** Forgets what fits. */
  drop(fits: (value: T) => boolean): void {
    for (const [key, { value }] of this.#values) if (fits(value)) this.#values.delete(key)
  }
}
