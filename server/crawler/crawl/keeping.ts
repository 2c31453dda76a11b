import type { Frontier, NewPage, PageOutcome, QueuedPage } from './types.ts'

/** Outcomes stored at once at most, and milliseconds one waits for others. */
const BATCH = 100
const MAX_WAIT = 250
/** More than so many are not left waiting: the crawl waits instead. */
const MAX_WAITING = 400
/** Pages in line below which more are taken, and how many at once. */
const LOW = 32
const TAKEN = 64
/** While hosts make us wait there may be others further down: so many pages are looked through for them. */
const MAX_QUEUED = 20_000
const LOOK_EVERY = 1_000

/** What the crawl tells about itself, to decide what is to be done with the frontier. */
export interface Needs {
  linedUp: number
  /** Pages that are asked for or read now. */
  underWay: number
  /** It could ask for more than it has. */
  isIdle: boolean
}

/** All dealings of a crawl with its frontier: one at a time, outcomes in batches. */
export class Keeping {
  readonly #frontier: Frontier
  readonly #changed: (taken: QueuedPage[]) => void
  readonly #failed: (error: unknown) => void
  #outcomes: PageOutcome[] = []
  #pages: NewPage[] = []
  readonly #forgotten: { host: string; text: string }[] = []
  #isBusy = false
  #task: Promise<QueuedPage[]> | undefined
  #isDue = false
  #timer: NodeJS.Timeout | undefined
  #isExhausted = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #nextLook: NodeJS.Timeout | undefined

  constructor(frontier: Frontier, changed: (taken: QueuedPage[]) => void, failed: (error: unknown) => void) {
    this.#frontier = frontier
    this.#changed = changed
    this.#failed = failed
  }

  get hasRoom(): boolean {
    return this.#outcomes.length < MAX_WAITING
  }

  /** Nothing is under way or waiting, and the frontier has no more pages. */
  get isDone(): boolean {
    return !this.#isBusy && this.#isExhausted && !this.#hasNews
  }

  get #hasNews(): boolean {
    return this.#outcomes.length + this.#pages.length + this.#forgotten.length > 0
  }

  settle(outcome: PageOutcome): void {
    this.#outcomes.push(outcome)
    this.#timer ??= setTimeout(() => {
      this.#isDue = true
      this.#changed([])
    }, MAX_WAIT)
  }

  add(pages: NewPage[]): void {
    this.#pages.push(...pages)
  }

  forget(host: string, text: string): void {
    this.#forgotten.push({ host, text })
  }

  /** Begins what is to be done now, if anything. */
  work(needs: Needs): void {
    const task = this.#isBusy ? undefined : this.#next(needs)
    if (!task) return
    this.#isBusy = true
    this.#task = task
    task.then(
      (taken) => {
        this.#isBusy = false
        this.#changed(taken)
      },
      (error) => this.#failed(error),
    )
  }

  /** Keeps what is left, at the end. Rejects with what the frontier throws. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer)
    clearTimeout(this.#nextLook)
    await this.#task
    if (this.#hasNews) await this.#keep()
  }

  #next({ linedUp, underWay, isIdle }: Needs): Promise<QueuedPage[]> | undefined {
    // What brings nothing to go on with waits for what is under way.
    const isAwaited =
      linedUp === 0 && isIdle && (underWay === 0 || this.#outcomes.some(({ links }) => links.length > 0))
    const isWorthIt = this.#isDue || this.#outcomes.length >= BATCH || isAwaited
    if (this.#hasNews && (isWorthIt || this.#pages.length + this.#forgotten.length > 0)) return this.#keep()
    if (this.#isExhausted) return undefined
    if (linedUp < LOW) return this.#take(TAKEN)
    if (!isIdle || linedUp >= MAX_QUEUED) return undefined
    const now = performance.now()
    const early = this.#lookedAt + LOOK_EVERY - now
    if (early > 0) {
      // Where every host in line makes us wait, nothing else would have it looked again.
      this.#nextLook ??= setTimeout(() => {
        this.#nextLook = undefined
        this.#changed([])
      }, early)
      return undefined
    }
    this.#lookedAt = now
    return this.#take(Math.min(linedUp * 2, 2_000))
  }

  async #take(count: number): Promise<QueuedPage[]> {
    const taken = await this.#frontier.take(count)
    this.#isExhausted = taken.length < count
    return taken
  }

  async #keep(): Promise<QueuedPage[]> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isDue = false
    const outcomes = this.#outcomes
    const pages = this.#pages
    this.#outcomes = []
    this.#pages = []
    if (outcomes.length > 0) await this.#frontier.settle(outcomes)
    // After what was settled: that may be of the host too.
    for (const { host, text } of this.#forgotten.splice(0)) await this.#frontier.forget(host, text)
    if (pages.length > 0) await this.#frontier.add(pages)
    if (pages.length > 0 || outcomes.some(({ links }) => links.length > 0)) this.#isExhausted = false
    return []
  }
}
