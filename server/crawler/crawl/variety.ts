import { LRUCache } from 'lru-cache'
import type { Digest } from '../read/digest.ts'
import type { Priority } from './types.ts'

/** Pages of one kind that a crawl reads before others get their turn. */
const ENOUGH = 60
/** Pages in a row that differ by digits only, bring nothing new and lead to ever more of their kind: nobody wrote so many. */
const TOO_ALIKE = 300
const MAX_GROUPS = 5_000
const MAX_KNOWN = 300_000

interface Group {
  heard: number
  likeness: string
  alike: number
  /** Addresses of the same kind that those were the first to name. */
  bred: number
}

/** The kind of an address: its folder, with digits folded, and the names of its parameters. */
function toUrlPattern(address: string): string {
  const url = new URL(address)
  const folder = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1).replace(/\d+/g, '0')
  const names = [...new Set(url.searchParams.keys())].slice(0, 8)
  return `${url.host}${url.search ? url.pathname.replace(/\d+/g, '0') : folder}?${names.join('&')}`
}

/**
 * Keeps one part of a site from eating the whole crawl: of pages of one kind some go first and the rest after all others, and
 * a kind that only repeats itself is left. Knows only what this run saw.
 */
export class Variety {
  readonly #groups = new LRUCache<string, Group>({ max: MAX_GROUPS })
  readonly #values = new Set<string>()
  readonly #heard = new Set<string>()

  /** Whether an address is heard of for the first time, as far as that is remembered. */
  isNew(address: string): boolean {
    if (this.#heard.has(address)) return false
    if (this.#heard.size >= MAX_KNOWN) this.#heard.clear()
    this.#heard.add(address)
    return true
  }

  /** When a new address is heard of, on the page `from`: how soon it is worth asking for. */
  rank(address: string, priority: Priority, from: string): Priority {
    const group = this.#group(address)
    if (group === this.#groups.get(toUrlPattern(from))) group.bred++
    if (priority === 0) return 0
    group.heard++
    return group.heard > ENOUGH ? 3 : priority
  }

  /** When a page was read. */
  note(address: string, { likeness, findings }: Pick<Digest, 'likeness' | 'findings'>): void {
    let isFresh = false
    for (const { value } of findings) {
      if (this.#values.has(value)) continue
      isFresh = true
      if (this.#values.size < MAX_KNOWN) this.#values.add(value)
    }
    const group = this.#group(address)
    const isAlike = !isFresh && group.likeness === likeness
    if (!isAlike) group.bred = 0
    group.alike = isAlike ? group.alike + 1 : 0
    group.likeness = likeness
  }

  /** Whether pages of this kind have only repeated themselves for long. */
  isTrap(address: string): boolean {
    const group = this.#groups.get(toUrlPattern(address))
    return group !== undefined && group.alike >= TOO_ALIKE && group.bred >= TOO_ALIKE
  }

  #group(address: string): Group {
    const kind = toUrlPattern(address)
    const known = this.#groups.get(kind)
    if (known) return known
    const group: Group = { heard: 0, likeness: '', alike: 0, bred: 0 }
    this.#groups.set(kind, group)
    return group
  }
}
