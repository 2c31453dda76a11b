import { toPaceHost } from './hosts.ts'
import type { QueuedPage } from './types.ts'

/** A page in line, and how often it was asked for already. */
export interface WaitingPage {
  page: QueuedPage
  tries: number
}

/** The pages of one host in line, best first. */
export class Lane {
  readonly name: string
  /** Whether it stands among those to go on with; else it waits for something. */
  isReady = false
  /** Ends its wait for the host's pace. */
  cancel: (() => void) | undefined
  readonly #byPriority: WaitingPage[][] = [[], [], [], []]

  constructor(name: string) {
    this.name = name
  }

  get first(): WaitingPage | undefined {
    return this.#byPriority.find((line) => line.length > 0)?.[0]
  }

  shift(): WaitingPage | undefined {
    return this.#byPriority.find((line) => line.length > 0)?.shift()
  }

  add(waiting: WaitingPage): void {
    this.#byPriority[waiting.page.priority]?.push(waiting)
  }

  /** Back to the front: it is asked for again. */
  putBack(waiting: WaitingPage): void {
    this.#byPriority[waiting.page.priority]?.unshift(waiting)
  }
}

/** Pages taken from the frontier and not asked for yet, by host: a host that waits holds up no other. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #ready: Lane[] = []
  size = 0

  add(pages: QueuedPage[]): void {
    for (const page of pages) {
      this.#lane(page).add({ page, tries: 0 })
      this.size++
    }
  }

  putBack(waiting: WaitingPage): void {
    this.#lane(waiting.page).putBack(waiting)
    this.size++
  }

  get hasReady(): boolean {
    return this.#ready.length > 0
  }

  /** The host whose turn it is. It goes on by `makeReady`. */
  nextReady(): Lane | undefined {
    const lane = this.#ready.shift()
    if (lane) lane.isReady = false
    return lane
  }

  /** Puts a host at the end of the round; one with nothing in line leaves. */
  makeReady(lane: Lane): void {
    lane.cancel = undefined
    if (lane.isReady) return
    if (!lane.first) {
      this.#lanes.delete(lane.name)
      return
    }
    lane.isReady = true
    this.#ready.push(lane)
  }

  shift(lane: Lane): WaitingPage | undefined {
    const waiting = lane.shift()
    if (waiting) this.size--
    return waiting
  }

  cancelAll(): void {
    for (const { cancel } of this.#lanes.values()) cancel?.()
  }

  #lane(page: QueuedPage): Lane {
    const name = toPaceHost(page.url)
    const known = this.#lanes.get(name)
    if (known) return known
    const lane = new Lane(name)
    this.#lanes.set(name, lane)
    // Ready once the page stands in it.
    lane.isReady = true
    this.#ready.push(lane)
    return lane
  }
}
