import { createHash } from 'node:crypto'
import { getDomain } from 'tldts'
import type { NewPage, Priority } from '#server/crawler/index.ts'
import type { PageRow } from './pages-store.ts'

/** So many pages of one host and one rank are asked for before the next rank's first. */
const RANK = 1_000

export const hashUrl = (url: string) => createHash('sha256').update(url).digest()

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

/** Pages as they are noted, each with its turn. */
export const toPageRows = (pages: NewPage[], turns: Turns): PageRow[] =>
  pages.map((page) => ({ ...page, hash: hashUrl(page.url), turn: turns.of(page) }))

/** The site an address belongs to: its registrable domain, or else host and port. One process asks a site at a time. */
export function findSite(url: string): string {
  const { hostname, host } = new URL(url)
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host
}
