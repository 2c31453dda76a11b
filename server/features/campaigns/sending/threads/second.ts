/** When a second sending thread helps: the first one has been at its limit for a while, and most of a core waits for work. */
import type { EventLoopUtilization } from 'node:perf_hooks'
import type { Worker } from 'node:worker_threads'
import type { Config } from '#server/platform/config.ts'
import { idleMs, memoryLimit } from '#server/platform/threads/machine.ts'

/** A second thread has 65 MB while it sends: not on a server of 512. */
const LEAST_MEMORY = 1024 ** 3
/** How long the first thread is at its limit before it is helped: a campaign of 20,000 is sent by then, on half as fast a machine too. */
const AT_LIMIT_MS = 8_000
/** Shorter spans say little. */
const SPAN_MS = 1_000
/** Shares of its time in which the first thread has something to do: from where on it is at its limit, and below which one thread is enough. */
const BUSY = { atLimit: 0.8, enough: 0.5 }
/** Cores that are idle, at least, while the first thread is at its limit: of two, PostgreSQL and the mail server use most of the other one. */
const IDLE_CORES = 0.75

/** How a span of time went. */
export interface Span {
  ms: number
  /** The share of it in which the first thread had something to do. */
  busy: number
  /** Cores that were idle, on average. */
  idleCores: number
}

/** How long the first thread has been at its limit with most of a core left, in milliseconds, after one more span. */
export const busyFor = (before: number, { ms, busy, idleCores }: Span): number =>
  busy >= BUSY.atLimit && idleCores >= IDLE_CORES ? before + ms : 0

/** Follows the first sending thread. */
export class SecondThread {
  readonly #threads: Config['sendingThreads']
  readonly #hasRoom = memoryLimit() >= LEAST_MEMORY
  #first: Worker | undefined
  #busyMs = 0
  #isWanted = false
  #at = 0
  #loop: EventLoopUtilization | undefined
  #idleMs = 0

  constructor(threads: Config['sendingThreads']) {
    this.#threads = threads
  }

  /** The first thread was started. Returns what to call when it is gone. */
  follow(first: Worker): () => void {
    this.#first = first
    this.#busyMs = 0
    this.#isWanted = false
    this.#read(first)
    return () => {
      this.#first = undefined
    }
  }

  /** Asked every few seconds; `isThere`: it runs already. */
  isWanted(isThere: boolean): boolean {
    if (!this.#first || this.#threads === '1') return false
    if (this.#threads === '2') return true
    if (!this.#hasRoom) return false
    if (performance.now() - this.#at < SPAN_MS) return this.#isWanted
    const span = this.#read(this.#first)
    this.#busyMs = busyFor(this.#busyMs, span)
    this.#isWanted = isThere ? span.busy >= BUSY.enough : this.#busyMs >= AT_LIMIT_MS
    return this.#isWanted
  }

  /** How it went since it was read before. */
  #read(first: Worker): Span {
    const before = { at: this.#at, loop: this.#loop, idleMs: this.#idleMs }
    this.#at = performance.now()
    this.#loop = first.performance.eventLoopUtilization()
    this.#idleMs = idleMs()
    const ms = this.#at - before.at
    const { utilization } = first.performance.eventLoopUtilization(this.#loop, before.loop)
    return { ms, busy: utilization, idleCores: (this.#idleMs - before.idleMs) / ms }
  }
}
