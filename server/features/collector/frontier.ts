import { createHash } from 'node:crypto'
import type { NewPage, Priority } from '#server/crawler/crawl/types.ts'
import type { PageRow } from './pages-store.ts'

/** So many pages of one host and one rank are asked for before the next rank's first. */
const RANK = 1_000

export const hashOf = (url: string) => createHash('sha256').update(url).digest()

/**
 * Gives pages their turn: those that name contacts come first, then those near the root, then the rest, and within each
 * the hosts of a job go by turns, so that a slow or large one does not keep the others waiting.
 */
export class Turns {
  readonly #next = new Map<string, number>()

  /** The turn of a page heard of now. */
  of({ url, priority }: Pick<NewPage, 'url' | 'priority'>): number {
    const key = `${priority} ${new URL(url).host}`
    const turn = this.#next.get(key) ?? priority * RANK
    this.#next.set(key, turn + 1)
    return turn
  }

  /** A page of an earlier run has this turn: the next of its host comes after it. */
  passed(url: string, priority: Priority, turn: number): void {
    const key = `${priority} ${new URL(url).host}`
    this.#next.set(key, Math.max(this.#next.get(key) ?? 0, turn + 1))
  }
}

/** The pages a job begins with: the addresses given, each host in turn. */
export function startingPages(urls: string[]): PageRow[] {
  const turns = new Turns()
  return urls.map((url) => ({ hash: hashOf(url), url, depth: 0, priority: 0, turn: turns.of({ url, priority: 0 }) }))
}
