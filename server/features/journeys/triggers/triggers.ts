/**
 * Lets contacts enter whom a trigger is about. It looks for what is stored and not for who stored it, so that every way onto a list
 * counts. A look that dies has let some enter and noted nothing: the next one finds the others, and nobody enters twice.
 */
import { sql } from 'kysely'
import { compileSegments, matchContacts } from '#server/features/contacts/index.ts'
import { isCanceled } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import type { Services } from '#server/services.ts'
import { enterContacts } from '../people.ts'
import { FAILED, FAILURES, TOO_SLOW } from '../runner.ts'
import { type JourneyRow, journeyById } from '../store.ts'
import * as store from './triggers-store.ts'

/** Contacts a transaction. */
const PAGE = 2_000
/** Journeys at one look. */
const LOOKS_AT_ONCE = 500
const SEGMENT_MS = 3_600_000
/** A statement of a filter that takes longer is ended. */
const TIMEOUT_MS = 20_000
/** A journey whose look failed is passed over for so long, and one whose filter takes too long. */
const FAILURE_PAUSE_MS = 30_000
const SLOW_PAUSE_MS = 300_000

/** One journey that is looked at, page by page. */
class Look {
  readonly #db: Db
  readonly #due: store.DueLook
  readonly #times: store.LookTimes
  /** Where the last page ended. */
  #after: store.Candidate | undefined

  constructor(db: Db, due: store.DueLook, times: store.LookTimes) {
    this.#db = db
    this.#due = due
    this.#times = times
  }

  /** Lets the next ones enter. Returns whether more may follow. */
  async next(): Promise<boolean> {
    const { workspaceId, id } = this.#due
    const journey = await journeyById(this.#db, workspaceId, id)
    if (journey?.state !== 'active') return false
    const enterPage = async (db: Db) => {
      await sql`set local statement_timeout = ${sql.lit(TIMEOUT_MS)}`.execute(db)
      const found = await this.#readPage(db, journey)
      const ids = [...new Set(found.map(({ contactId }) => contactId))]
      const { entryFilter } = journey.definition
      const wanted = entryFilter ? [...(await matchContacts(db, workspaceId, entryFilter, ids))] : ids
      if (wanted.length > 0) await enterContacts(db, journey, wanted)
      this.#after = found.at(-1)
      return found.length === PAGE
    }
    const isFull = await retryUndone(() => this.#db.transaction().execute(enterPage))
    if (!isFull) await this.#end(journey)
    return isFull
  }

  async #readPage(db: Db, { definition: { trigger } }: JourneyRow): Promise<store.Candidate[]> {
    const { workspaceId } = this.#due
    if (trigger.kind === 'segment') {
      const [segment] = await compileSegments(db, workspaceId, trigger.segmentId === null ? [] : [trigger.segmentId])
      if (!segment) return []
      const ids = await store.nextMatching(db, this.#due, segment.condition(), this.#after?.key ?? '0', PAGE)
      return ids.map((contactId) => ({ contactId, at: '', key: contactId }))
    }
    const occurrences = store.findOccurrences(workspaceId, trigger, await store.findSince(db, this.#due))
    return occurrences ? store.nextOccurrences(db, this.#due, occurrences, this.#after, PAGE) : []
  }

  async #end({ definition, stateText }: JourneyRow): Promise<void> {
    const { now, settled } = this.#times
    await store.noteLook(this.#db, this.#due, definition.trigger.kind === 'segment' ? now : settled)
    if (FAILURES.includes(stateText)) await this.note('')
  }

  note(stateText: string): Promise<void> {
    return store.noteHindrance(this.#db, this.#due, stateText)
  }
}

/** A journey that is being looked at. */
interface Turn {
  due: store.DueLook
  look: Look
}

/** The looks of this process. */
export class Triggers {
  readonly #services: Pick<Services, 'db' | 'log' | 'intervals'>
  /** Until when journeys are passed over whose look failed, by their id. */
  readonly #failed = new Map<string, number>()

  constructor(services: Pick<Services, 'db' | 'log' | 'intervals'>) {
    this.#services = services
  }

  /**
   * Lets everybody enter whom triggers are about by now: a page of each workspace in turn. Who gets due meanwhile joins in, so that
   * nobody waits for the end of another workspace's million contacts.
   */
  async look(signal: AbortSignal): Promise<void> {
    const turns = new Map<string, Turn[]>()
    /** When the looks of this round ended, by the id of the journey. */
    const ended = new Map<string, number>()
    let listedAt = await this.#join(turns, ended)
    while (turns.size > 0) {
      for (const [workspaceId, [first, ...others]] of [...turns]) {
        if (signal.aborted) return
        if (first && (await this.#isOpen(first))) continue
        if (first) ended.set(first.due.id, performance.now())
        if (others.length > 0) turns.set(workspaceId, others)
        else turns.delete(workspaceId)
      }
      if (performance.now() - listedAt > this.#services.intervals.journeyTriggersJoinMs)
        listedAt = await this.#join(turns, ended)
    }
  }

  /**
   * Adds the journeys that are due by now and not among those already, or were looked at a moment ago: a fresh member makes a journey due for a
   * minute. Returns when it looked.
   */
  async #join(turns: Map<string, Turn[]>, ended: Map<string, number>): Promise<number> {
    const { db, intervals } = this.#services
    const restedAt = performance.now() - intervals.journeyTriggersMs
    for (const [id, at] of ended) if (at <= restedAt) ended.delete(id)
    for (const [id, until] of this.#failed) if (until <= performance.now()) this.#failed.delete(id)
    const open = [...turns.values()].flatMap((some) => some.map(({ due }) => due.id))
    const passed = [...open, ...ended.keys(), ...this.#failed.keys()]
    const due = await store.listDueLooks(db, SEGMENT_MS, LOOKS_AT_ONCE, passed)
    const times = due.length > 0 && (await store.readTimes(db))
    if (times)
      for (const one of due)
        turns.set(one.workspaceId, [
          ...(turns.get(one.workspaceId) ?? []),
          { due: one, look: new Look(db, one, times) },
        ])
    return performance.now()
  }

  async #isOpen({ due, look }: Turn): Promise<boolean> {
    try {
      return await look.next()
    } catch (error) {
      this.#services.log.error({ err: error, ...due }, 'the trigger of a journey failed')
      this.#failed.set(due.id, performance.now() + (isCanceled(error) ? SLOW_PAUSE_MS : FAILURE_PAUSE_MS))
      await look.note(isCanceled(error) ? TOO_SLOW : FAILED)
      return false
    }
  }
}
