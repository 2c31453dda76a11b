import type { Hosts } from './hosts.ts'

/** Requests in a row that failed, after which a host is left. */
const TOO_MANY = 6
/** Milliseconds a host may ask to be left alone before its pages are given up. */
const MAX_REST = 120_000
const FIRST_REST = 1_000
const MAX_BACK_OFF = 60_000

function inWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

/** Hosts that fail or are busy: each gets longer and longer rests, and is left in the end. */
export class Troubles {
  readonly #hosts: Hosts
  readonly #failures = new Map<string, { count: number; left?: string }>()

  constructor(hosts: Hosts) {
    this.#hosts = hosts
  }

  /** Why nothing more is asked of a host; undefined while it is. */
  of(host: string): string | undefined {
    return this.#failures.get(host)?.left
  }

  /** After a failure; `asked`: milliseconds that the server wants to be left alone. */
  note(host: string, asked: number | undefined): void {
    const known = this.#failures.get(host) ?? { count: 0 }
    this.#failures.set(host, known)
    known.count++
    this.#hosts.rest(host, Math.min(asked ?? FIRST_REST * 2 ** (known.count - 1), MAX_BACK_OFF * 2))
    if (asked !== undefined && asked > MAX_REST)
      known.left = `The site asks for a pause of ${inWords(asked)}. Start a new scrape then.`
    else if (known.count >= TOO_MANY)
      known.left = `The site failed ${known.count} times in a row, so its other pages were skipped.`
  }

  clear(host: string): void {
    if (!this.#failures.get(host)?.left) this.#failures.delete(host)
  }
}
