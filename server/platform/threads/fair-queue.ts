/** Whose turn it is, and whether they may be refused one. */
export interface Turn {
  workspaceId: string
  /** The start of a campaign: it goes before the workspace's other work, and is not refused because of it. */
  isOwn?: boolean
}

interface Lane<T> {
  own: T[]
  asked: T[]
  /** Milliseconds the workspace had lately. */
  used: number
  /** When it last had any, by the clock of `now`. */
  usedAt: number
}

/** Milliseconds without any work after which what a workspace had is forgotten. */
const FORGOTTEN_AFTER = 60_000
/** More starts of campaigns than anybody has at once, so that asking for them again and again fills nothing either. */
const OWN_LIMIT = 50

/**
 * A queue for each workspace; the workspace that had least time lately is next, so that nobody waits for the whole queue of another. Who comes, or
 * comes again, begins with as much time as the one that was served last: rest earns nothing, so that a newcomer does not go before all others until
 * it had as much as they.
 */
export class FairQueue<T> {
  readonly #lanes = new Map<string, Lane<T>>()
  readonly #limit: number
  readonly #now: () => number
  /** The time that the workspace served last had had by then. */
  #least = 0

  /** `limit`: how many may wait for one workspace. `now`: milliseconds that only go forward. */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#limit = limit
    this.#now = now
  }

  /** Takes it in, or says that the workspace has as many waiting as it may. */
  add({ workspaceId, isOwn = false }: Turn, item: T): boolean {
    this.#forget()
    const lane = this.#lanes.get(workspaceId) ?? { own: [], asked: [], used: 0, usedAt: this.#now() }
    const list = isOwn ? lane.own : lane.asked
    if (list.length >= (isOwn ? OWN_LIMIT : this.#limit)) return false
    if (lane.own.length + lane.asked.length === 0) lane.used = Math.max(lane.used, this.#least)
    this.#lanes.set(workspaceId, lane)
    list.push(item)
    return true
  }

  /** The next one, with whom it is for; undefined when nobody waits. */
  take(): { workspaceId: string; item: T } | undefined {
    let next: [string, Lane<T>] | undefined
    for (const entry of this.#lanes) {
      const [, lane] = entry
      if (lane.own.length + lane.asked.length > 0 && (!next || lane.used < next[1].used)) next = entry
    }
    if (!next) return undefined
    const [workspaceId, lane] = next
    this.#least = Math.max(this.#least, lane.used)
    return { workspaceId, item: (lane.own.shift() ?? lane.asked.shift()) as T }
  }

  /** Takes in again, before everything else of its workspace, what was taken and not begun. */
  putBack(workspaceId: string, item: T): void {
    const lane = this.#lanes.get(workspaceId) ?? { own: [], asked: [], used: 0, usedAt: this.#now() }
    this.#lanes.set(workspaceId, lane)
    lane.own.unshift(item)
  }

  /** How many wait. */
  get size(): number {
    let size = 0
    for (const { own, asked } of this.#lanes.values()) size += own.length + asked.length
    return size
  }

  /** Notes the time that work of a workspace took. */
  spend(workspaceId: string, milliseconds: number): void {
    const lane = this.#lanes.get(workspaceId)
    if (!lane) return
    lane.used += milliseconds
    lane.usedAt = this.#now()
  }

  /** Everything that waits, taken out. */
  drain(): T[] {
    const items = [...this.#lanes.values()].flatMap(({ own, asked }) => [...own, ...asked])
    this.#lanes.clear()
    return items
  }

  #forget(): void {
    for (const [workspaceId, { own, asked, usedAt }] of this.#lanes)
      if (own.length + asked.length === 0 && this.#now() - usedAt > FORGOTTEN_AFTER) this.#lanes.delete(workspaceId)
  }
}
