/** The budget of one rendering: characters of work, whatever they are spent on. It counts and never looks at a clock. */
import { LiquidFault } from './liquid-fault.ts'

/**
 * Characters one rendering may read, write and compare in all. An ordinary email spends some thousands; one unit takes at
 * most some tens of nanoseconds.
 */
export const WORK_LIMIT = 5_000_000
const STEP_LIMIT = 100_000
/** V8 finds a long string in another one in n * m steps at worst, each much cheaper than a unit. */
const SEARCH_DISCOUNT = 16

export class Work {
  #left: number
  constructor(limit = WORK_LIMIT) {
    this.#left = limit
  }

  /** Units spent so far may not pass the limit: throws. Takes what LiquidJS charges its own limiter with. */
  use(units: number): void {
    const count = +units
    if (!(count > 0)) return
    this.#left -= count
    if (this.#left < 0)
      throw new LiquidFault(
        'too_much_work',
        'this is more work than one message may take: is a loop too long, or a text built up again and again?',
      )
  }

  check(): void {}

  /** More was wanted than there is. */
  get isSpent(): boolean {
    return this.#left < 0
  }
}

/** Counts steps and not time, so that a busy machine never fails a message. */
export class Steps {
  #steps = 0
  use(): void {}
  check(): void {
    if (++this.#steps > STEP_LIMIT)
      throw new LiquidFault('too_much_work', `this template takes more than ${STEP_LIMIT.toLocaleString('en')} steps`)
  }
}

/** One element of an array or an object, besides what is in it. */
export const ITEM = 8

/** How much there is of a value, in characters; what it holds counts with it. */
export function measureSize(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth > 3) return ITEM
  let size = ITEM
  for (const item of Array.isArray(value) ? value : Object.values(value)) size += ITEM + measureSize(item, depth + 1)
  return size
}

/** What it costs at most to look for one string in another. */
export const searchCost = (text: number, pattern: number) => text + pattern + (text * pattern) / SEARCH_DISCOUNT
