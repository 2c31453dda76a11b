import type { CollectorKind } from '#contracts/collector/collector.ts'
import type { Finding, Frontier, NewPage, PageOutcome, QueuedPage } from '#server/crawler/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import { hashUrl, Turns } from '../frontier.ts'
import { insertPages, knownPages, type PageRow, queuedPages, type SettledPage, settlePages } from '../pages-store.ts'
import { judgeAddress } from '../results/qualities.ts'
import { type NewResult, upsertResults } from '../results/results-store.ts'
import { addCounts, dropHost, lockJob } from './counts-store.ts'
import type { LeasedJob } from './leases-store.ts'

const SLICE = 20_000
const MAX_NAME_LENGTH = 300
/** A run that settled so many pages is sound, however its job's earlier runs ended. Fewer could go on for ever: each run some. */
const SOUND_AFTER = 100
/** A job remembers so many pages for each it may read, and at least that many; beyond, only pages that name contacts. */
const KNOWN = { perPage: 4, least: 5_000 }

/** Is told what was stored. */
export interface Listener {
  /** What is new or changed, once it is stored. */
  changed(found: FoundRow[]): void
  /** How many pages were read, in the transaction that stores them. */
  read(db: Db, pages: number): Promise<void>
}

export interface FoundRow {
  id: string
  value: string
}

/** Enough of a hash to tell a job's pages apart, in a string that takes little memory. */
const short = (hash: Buffer) => hash.toString('latin1', 0, 12)

/** The pages of a job in the database, as a crawl uses them. What it keeps, it keeps in one transaction. */
export class DatabaseFrontier implements Frontier {
  readonly #db: Services['db']
  readonly #job: LeasedJob
  readonly #listener: Listener
  readonly #turns = new Turns()
  readonly #known = new Set<string>()
  /** Pages in the hands of the crawl. */
  readonly #taken = new Set<string>()
  /** How sure the best finding of each value is, so that what stands on every page is written once. */
  readonly #best = new Map<string, number>()
  readonly #contentHashes: Buffer[] = []
  /** Pages settled by this run. */
  #settled = 0

  private constructor(db: Services['db'], job: LeasedJob, listener: Listener) {
    this.#db = db
    this.#job = job
    this.#listener = listener
  }

  /** Opens a job's pages where an earlier run left them. */
  static async open(db: Services['db'], job: LeasedJob, listener: Listener): Promise<DatabaseFrontier> {
    const frontier = new DatabaseFrontier(db, job, listener)
    for (let after = '0'; ; ) {
      const rows = await knownPages(db, job.workspaceId, job.id, after, SLICE)
      for (const row of rows) {
        frontier.#known.add(short(row.urlHash))
        frontier.#turns.passed(row.url, row.priority as PageRow['priority'], row.turn)
        if (row.contentHash) frontier.#contentHashes.push(row.contentHash)
      }
      if (rows.length < SLICE) return frontier
      after = rows.at(-1)?.id ?? after
    }
  }

  /** Hashes of what was read so far. */
  get contentHashes(): Buffer[] {
    return this.#contentHashes
  }

  async take(count: number): Promise<QueuedPage[]> {
    const rows = await queuedPages(this.#db, this.#job.workspaceId, this.#job.id, count + this.#taken.size)
    const pages = rows
      .filter(({ id }) => !this.#taken.has(id))
      .slice(0, count)
      .map((row) => ({ ...row, priority: row.priority as QueuedPage['priority'] }))
    for (const { id } of pages) this.#taken.add(id)
    return pages
  }

  async settle(outcomes: PageOutcome[]): Promise<void> {
    const job = this.#job
    const results = this.#toNewResults(outcomes)
    const pages = this.#toPageRows(outcomes.flatMap(({ links }) => links))
    const rows = await this.#keep(async (db) => {
      const settled = await settlePages(db, job.workspaceId, job.id, outcomes.map(settledPage))
      const added = await insertPages(db, job.workspaceId, job.id, pages)
      const rows = await upsertResults(db, job.workspaceId, job.id, results)
      const skipped: Record<string, number> = {}
      for (const { skipped: skip } of outcomes) if (skip) skipped[skip.reason] = (skipped[skip.reason] ?? 0) + 1
      const fetched = outcomes.filter((outcome) => !outcome.skipped).length
      await this.#listener.read(db, fetched)
      await addCounts(db, job.workspaceId, job.id, {
        fetched,
        queued: added.length - settled,
        found: rows.filter((row) => row.added).length,
        skipped,
        isWell: this.#settled < SOUND_AFTER && this.#settled + outcomes.length >= SOUND_AFTER,
      })
      return rows
    })
    this.#settled += outcomes.length
    this.#remember(pages, results)
    for (const { page } of outcomes) this.#taken.delete(page.id)
    this.#listener.changed(rows)
  }

  async add(found: NewPage[]): Promise<void> {
    const { id, workspaceId } = this.#job
    const pages = this.#toPageRows(found)
    if (pages.length === 0) return
    await this.#keep(async (db) => {
      const added = await insertPages(db, workspaceId, id, pages)
      await addCounts(db, workspaceId, id, { fetched: 0, queued: added.length, found: 0, skipped: {} })
    })
    this.#remember(pages, [])
    this.#listener.changed([])
  }

  async forget(host: string, text: string): Promise<void> {
    const { id, workspaceId } = this.#job
    await this.#keep(async (db) => {
      const dropped = await dropHost(db, workspaceId, id, { host, text })
      await addCounts(db, workspaceId, id, { fetched: 0, queued: 0, found: -dropped, skipped: {} })
    })
    // Another site may name the same contact.
    this.#best.clear()
    this.#listener.changed([])
  }

  #keep<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(async (db) => {
      await lockJob(db, this.#job)
      return work(db)
    })
  }

  #remember(pages: PageRow[], results: NewResult[]): void {
    for (const { hash } of pages) this.#known.add(short(hash))
    for (const { value, confidence } of results) this.#best.set(value.toLowerCase(), confidence)
  }

  /** Pages not heard of before, each once, with their turn. */
  #toPageRows(found: NewPage[]): PageRow[] {
    const most = Math.max(KNOWN.least, this.#job.settings.maxPages * KNOWN.perPage)
    const pages = new Map<string, PageRow>()
    for (const { url, depth, priority } of found) {
      const known = this.#known.size + pages.size
      if (known >= most * 2 || (known >= most && priority > 0)) continue
      const hash = hashUrl(url)
      const key = short(hash)
      if (this.#known.has(key) || pages.has(key)) continue
      pages.set(key, { hash, url, depth, priority, turn: this.#turns.of({ url, priority }) })
    }
    return [...pages.values()]
  }

  /** Findings worth writing down: each value once, those said more surely than before. */
  #toNewResults(outcomes: PageOutcome[]): NewResult[] {
    const results = new Map<string, NewResult>()
    for (const { page, title, findings } of outcomes)
      for (const finding of findings) {
        const key = finding.value.toLowerCase()
        const before = results.get(key)?.confidence ?? this.#best.get(key) ?? -1
        if (finding.kind === this.#job.kind && finding.confidence > before)
          results.set(key, toNewResult(this.#job.kind, finding, page.url, title))
      }
    return [...results.values()]
  }
}

function settledPage({ page, skipped, contentHash }: PageOutcome): SettledPage {
  return {
    id: page.id,
    state: skipped ? 'skipped' : 'fetched',
    reason: skipped?.reason ?? '',
    text: skipped?.text ?? '',
    hash: contentHash ?? null,
  }
}

/** Text from pages may hold what the database cannot: NUL and halves of surrogate pairs. */
const clean = (text: string, longest = 1_000) => text.replaceAll('\0', '').slice(0, longest).toWellFormed()

function toNewResult(kind: CollectorKind, finding: Finding, sourceUrl: string, title: string): NewResult {
  const { value, method, confidence, country, type } = finding
  const qualities = kind === 'email' ? judgeAddress(value) : { isRole: false, isFree: false, isDisposable: false }
  return {
    value: clean(value),
    method,
    confidence,
    context: clean(finding.context),
    personName: clean(finding.name, MAX_NAME_LENGTH),
    organization: clean(finding.organization, MAX_NAME_LENGTH),
    sourceUrl,
    pageTitle: clean(title, MAX_NAME_LENGTH),
    ...qualities,
    ...(country && { country }),
    ...(type && { type }),
  }
}
