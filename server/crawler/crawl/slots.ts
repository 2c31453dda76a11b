/** Milliseconds after which a request counts as slow: it goes on, and another may begin beside it. */
const SLOW = 3_000
const MAX_SLOW = 100

/** A request of a crawl; `free` ends it, however often it is called. */
export interface Slot {
  free(): void
}

/** How many requests a crawl makes at once. Slow ones make room for others, so that no host holds up the rest. */
export class Slots {
  readonly #most: number
  readonly #freed: () => void
  readonly #timers = new Set<NodeJS.Timeout>()
  #quick = 0
  #slow = 0

  constructor(most: number, freed: () => void) {
    this.#most = most
    this.#freed = freed
  }

  get hasRoom(): boolean {
    return this.#quick < this.#most
  }

  take(): Slot {
    this.#quick++
    let state: 'quick' | 'slow' | 'over' = 'quick'
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (state !== 'quick' || this.#slow >= MAX_SLOW) return
      state = 'slow'
      this.#quick--
      this.#slow++
      this.#freed()
    }, SLOW)
    this.#timers.add(timer)
    return {
      free: () => {
        if (state === 'over') return
        if (state === 'quick') this.#quick--
        else this.#slow--
        state = 'over'
        this.#timers.delete(timer)
        clearTimeout(timer)
      },
    }
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
