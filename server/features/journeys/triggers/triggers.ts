/**
 * Lets contacts enter whom a trigger is about. It looks for what is stored and not for who stored it, so that every way onto a list
 * counts. A look that dies has let some enter and noted nothing: the next one finds the others, and nobody enters twice.
 */
import { sql } from 'kysely'
import { compileSegments, matchContacts } from '#server/features/contacts/index.ts'
import { isCanceled } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
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
/** A journey whose look failed is passed over for so long. */
const FAILURE_PAUSE_MS = 30_000

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
    const isFull = await this.#db.transaction().execute(async (db) => {
      await sql`set local statement_timeout = ${sql.lit(TIMEOUT_MS)}`.execute(db)
      const found = await this.#readPage(db, journey)
      const ids = [...new Set(found.map(({ contactId }) => contactId))]
      const { entryFilter } = journey.definition
      const wanted = entryFilter ? [...(await matchContacts(db, workspaceId, entryFilter, ids))] : ids
      if (wanted.length > 0) await enterContacts(db, journey, wanted)
      this.#after = found.at(-1)
      return found.length === PAGE
    })
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

/** The looks of this process. */
export class Triggers {
  readonly #services: Pick<Services, 'db' | 'log'>
  /** Until when journeys are passed over whose look failed, by their id. */
  readonly #failed = new Map<string, number>()

  constructor(services: Pick<Services, 'db' | 'log'>) {
    this.#services = services
  }

  /** Lets everybody enter whom triggers are about by now: a page of each workspace in turn. */
  async look(signal: AbortSignal): Promise<void> {
    const { db } = this.#services
    for (const [id, until] of this.#failed) if (until <= performance.now()) this.#failed.delete(id)
    const due = (await store.listDueLooks(db, SEGMENT_MS, LOOKS_AT_ONCE)).filter(({ id }) => !this.#failed.has(id))
    if (due.length === 0) return
    const times = await store.readTimes(db)
    let turns = [...Map.groupBy(due, ({ workspaceId }) => workspaceId).values()].map((some) =>
      some.map((one) => ({ due: one, look: new Look(db, one, times) })),
    )
    while (turns.length > 0) {
      for (const turn of turns) {
        if (signal.aborted) return
        const [first] = turn
        if (first && !(await this.#isOpen(first))) turn.shift()
      }
      turns = turns.filter((turn) => turn.length > 0)
    }
  }

  async #isOpen({ due, look }: { due: store.DueLook; look: Look }): Promise<boolean> {
    try {
      return await look.next()
    } catch (error) {
      this.#services.log.error({ err: error, ...due }, 'the trigger of a journey failed')
      this.#failed.set(due.id, performance.now() + FAILURE_PAUSE_MS)
      await look.note(isCanceled(error) ? TOO_SLOW : FAILED)
      return false
    }
  }
}
