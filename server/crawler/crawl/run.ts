import type { Fetched, Fetcher } from '../fetch/fetcher.ts'
import { createScope, type Scope } from '../frontier/scope.ts'
import type { PageReader } from '../read/reader.ts'
import type { RobotsRules, Rules } from '../robots/asking.ts'
import { type Hosts, type Pass, toPaceHost } from './hosts.ts'
import { skip } from './judge.ts'
import { Keeping } from './keeping.ts'
import { type Lane, Lanes, type WaitingPage } from './lanes.ts'
import { Outcomes } from './outcomes.ts'
import { pagesOfSiteMaps } from './site-maps.ts'
import { Slots } from './slots.ts'
import { Troubles } from './troubles.ts'
import type { CrawlEnd, CrawlOptions, QueuedPage } from './types.ts'
import { askFor, readFetched, type Visit } from './visit.ts'

/** What all crawls of a process share. */
export interface CrawlParts {
  fetcher: Fetcher
  reader: PageReader
  hosts: Hosts
  rules: RobotsRules
  /** Requests at once of one crawl. */
  atOnce: number
  isPrivate: (address: string) => boolean
}

/** Pages read at once, beside those being fetched. */
const MAX_READING = 32
/** Page budget a site must have left for its site maps to be asked for. */
const LEAST_FOR_MAPS = 5

/** One crawl, from the first page to the last. */
export class Crawl {
  readonly #parts: CrawlParts
  readonly #options: CrawlOptions
  readonly #scope: Scope
  readonly #lanes = new Lanes()
  readonly #keeping: Keeping
  readonly #slots: Slots
  readonly #troubles: Troubles
  readonly #outcomes: Outcomes
  /** Ends what is under way, whatever the reason. */
  readonly #over = new AbortController()
  readonly #mapped = new Set<string>()
  /** Pages asked for or being read: each may count. */
  #pending = 0
  #reading = 0
  #mapping = 0
  #finish: ((end: CrawlEnd['end']) => void) | undefined
  #fail: ((error: unknown) => void) | undefined

  constructor(parts: CrawlParts, options: CrawlOptions) {
    this.#parts = parts
    this.#options = options
    this.#scope = createScope(options.settings)
    this.#slots = new Slots(parts.atOnce, () => this.#pump())
    this.#troubles = new Troubles(parts.hosts)
    this.#keeping = new Keeping(
      options.frontier,
      (taken) => {
        this.#lanes.add(taken)
        this.#pump()
      },
      (error) => this.#fail?.(error),
    )
    this.#outcomes = new Outcomes(options, {
      scope: this.#scope,
      troubles: this.#troubles,
      isPrivate: parts.isPrivate,
      forget: (host, text) => this.#keeping.forget(host, text),
    })
  }

  async run(): Promise<CrawlEnd> {
    const { signal } = this.#options
    const stop = () => this.#finish?.('stopped')
    try {
      const end = await new Promise<CrawlEnd['end']>((resolve, reject) => {
        this.#finish = resolve
        this.#fail = reject
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
        else this.#pump()
      })
      this.#end()
      await this.#keeping.finish()
      return { end, pagesRead: this.#outcomes.pagesRead }
    } finally {
      signal.removeEventListener('abort', stop)
      this.#end()
    }
  }

  #end(): void {
    this.#finish = undefined
    this.#over.abort()
    this.#lanes.cancelAll()
    this.#slots.close()
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted
  }

  get #hasBudget(): boolean {
    return this.#outcomes.pagesRead + this.#pending < this.#options.settings.maxPages
  }

  get #hasRoom(): boolean {
    return this.#slots.hasRoom && this.#reading < MAX_READING && this.#hasBudget && this.#keeping.hasRoom
  }

  /** Goes on with whatever can go on. Called whenever something changed. */
  #pump(): void {
    if (this.#isOver || !this.#finish) return
    while (this.#hasRoom) {
      const lane = this.#lanes.nextReady()
      if (!lane) break
      this.#goOn(lane)
    }
    const isAtLimit = this.#outcomes.pagesRead >= this.#options.settings.maxPages
    if (isAtLimit) return void this.#finish('limit')
    this.#keeping.work({ linedUp: this.#lanes.size, underWay: this.#pending, isIdle: this.#hasRoom })
    if (this.#keeping.isDone && this.#lanes.size + this.#pending + this.#mapping === 0) this.#finish('done')
  }

  #goOn(lane: Lane): void {
    for (let waiting = lane.first; waiting; waiting = lane.first) {
      const { origin } = new URL(waiting.page.url)
      const rules = this.#parts.rules.known(origin)
      if (!rules) return this.#askRules(lane, origin)
      const refused = this.#outcomes.refusal(waiting.page, rules)
      if (!refused) break
      this.#lanes.shift(lane)
      this.#keeping.settle(refused)
      if (!this.#keeping.hasRoom) return this.#lanes.makeReady(lane)
    }
    if (!lane.first) return this.#lanes.makeReady(lane)
    const pass = this.#parts.hosts.tryEnter(lane.name)
    if (!pass) {
      lane.cancel = this.#parts.hosts.whenFree(lane.name, () => {
        this.#lanes.makeReady(lane)
        this.#pump()
      })
      return
    }
    const waiting = this.#lanes.shift(lane)
    this.#lanes.makeReady(lane)
    if (waiting) void this.#visit(waiting, pass).catch((error) => this.#fail?.(error))
  }

  #askRules(lane: Lane, origin: string): void {
    const slot = this.#slots.take()
    void this.#parts.rules.ask(origin).then((rules) => {
      slot.free()
      if (this.#isOver) return
      this.#greet(origin, rules)
      this.#lanes.makeReady(lane)
      this.#pump()
    })
  }

  /** The first time a site's robots.txt is seen in this crawl. */
  #greet(origin: string, rules: Rules): void {
    const { settings, onNote } = this.#options
    const { crawlDelay } = rules.robots
    const host = toPaceHost(origin)
    if (crawlDelay !== undefined) {
      const granted = this.#parts.hosts.keepDelay(host, crawlDelay)
      if (granted < crawlDelay)
        onNote?.({ host, text: `${host} asks for ${crawlDelay} seconds between two pages; it gets ${granted}.` })
      else if (granted >= 2) onNote?.({ host, text: `${host} asks for ${crawlDelay} seconds between two pages.` })
    }
    const budget = Math.floor((settings.maxPages - this.#outcomes.pagesRead) / Math.max(1, settings.hosts.length))
    const isWanted = settings.maxDepth > 0 && budget > LEAST_FOR_MAPS && !rules.closed && !this.#mapped.has(origin)
    if (!isWanted || !this.#scope.hasHost(`${origin}/`)) return
    this.#mapped.add(origin)
    this.#mapping++
    pagesOfSiteMaps(origin, rules, this.#parts, this.#scope, budget * 2, this.#over.signal)
      .then((pages) => this.#keeping.add(this.#outcomes.fresh(pages, origin)))
      .catch((error) => {
        if (!this.#isOver) this.#fail?.(error)
      })
      .finally(() => {
        this.#mapping--
        this.#pump()
      })
  }

  async #visit(waiting: WaitingPage, pass: Pass): Promise<void> {
    const { page } = waiting
    const slot = this.#slots.take()
    this.#pending++
    let isFetching = true
    const fetched = () => {
      if (isFetching) slot.free()
      isFetching = false
    }
    try {
      const parts = { fetcher: this.#parts.fetcher, pass, signal: this.#over.signal }
      const response = await askFor(page, parts, (meaning) => this.#noteTrouble(page, meaning))
      fetched()
      const visit = 'kind' in response ? response : await this.#read(page, response)
      if (!this.#isOver) this.#conclude(waiting, visit)
    } finally {
      fetched()
      this.#pending--
      this.#pump()
    }
  }

  #noteTrouble(page: QueuedPage, meaning: Visit | Fetched): void {
    const host = toPaceHost(page.url)
    if (!('kind' in meaning)) this.#troubles.clear(host)
    else if (meaning.kind === 'busy') this.#troubles.note(host, meaning.rest)
    else if (meaning.kind !== 'stopped') this.#troubles.clear(host)
  }

  async #read(page: QueuedPage, fetched: Fetched): Promise<Visit> {
    this.#reading++
    // Another page may be asked for while this one is read.
    this.#pump()
    try {
      return await readFetched(page, fetched, this.#parts.reader, this.#options.settings)
    } finally {
      this.#reading--
    }
  }

  #conclude(waiting: WaitingPage, visit: Visit): void {
    const { page } = waiting
    const host = toPaceHost(page.url)
    if (visit.kind === 'stopped') return
    if (visit.kind === 'busy') {
      const left = this.#troubles.of(host)
      if (!left && waiting.tries + 1 < visit.tries) this.#lanes.putBack({ page, tries: waiting.tries + 1 })
      else this.#keeping.settle(left && visit.rest ? skip(page, 'error', left) : visit.outcome)
      return
    }
    if (visit.kind === 'skipped') this.#keeping.settle(visit.outcome)
    else if (visit.kind === 'moved') this.#keeping.settle(this.#outcomes.moved(page, visit.to))
    else this.#keeping.settle(this.#outcomes.read(page, visit))
  }
}
