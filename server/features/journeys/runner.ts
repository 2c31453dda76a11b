/**
 * Takes contacts through journeys. What a step does and that its contacts go on is one transaction: a process that dies does nothing by
 * halves, and the next one finds everybody where they were.
 */
import { sql } from 'kysely'
import { isCanceled } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import type { Services } from '#server/services.ts'
import { advance } from './advance.ts'
import * as people from './people-store.ts'
import * as store from './store.ts'

/** People a transaction. */
const BATCH_SIZE = 1_000
/** Journeys at one look; of each workspace one has its turn. */
const JOURNEYS_AT_ONCE = 200
/** A statement of a filter that takes longer is canceled. */
const TIMEOUT_MS = 20_000
/** After a filter that took too long, another failure, and where others hold all contacts of a batch. */
const SLOW_PAUSE_MS = 120_000
const FAILURE_PAUSE_MS = 5_000
const HELD_PAUSE_MS = 500

export const TOO_SLOW = 'A filter takes too long. Use fewer conditions in it.'
export const FAILED = 'A step failed on the server. It is tried again every few seconds; the server log has the reason.'
/** What is noted after a failure; it is over with the next batch that succeeds. */
export const FAILURES = [TOO_SLOW, FAILED]

/** Takes everybody further whose time has come, journey after journey and workspace after workspace. */
export async function runJourneys(services: Services, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await store.listDue(services.db, JOURNEYS_AT_ONCE)
    let isAnyMoved = false
    for (const journey of due) {
      if (signal.aborted) return
      isAnyMoved = (await runBatch(services, journey)) || isAnyMoved
    }
    if (!isAnyMoved) return
  }
}

/** Takes some people of a journey further. Returns whether it did: another process may have it in hand. */
async function runBatch(
  services: Services,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  const { db, live, log } = services
  try {
    const goOn = async (db: Db) => {
      const journey = await store.holdJourney(db, workspaceId, id, true)
      if (journey?.state !== 'active') return undefined
      await sql`set local statement_timeout = ${sql.lit(TIMEOUT_MS)}`.execute(db)
      const due = await people.holdDue(db, workspaceId, id, BATCH_SIZE)
      const { moves, entered, campaignIds, hindrance } = await advance(services, db, journey, due)
      await people.movePeople(db, workspaceId, moves)
      await store.countEntered(db, workspaceId, id, entered)
      const isOver = FAILURES.includes(journey.stateText)
      await store.noteNextDue(db, workspaceId, id, {
        pauseMs: due.length === 0 ? HELD_PAUSE_MS : 0,
        stateText: hindrance ?? (isOver ? '' : undefined),
      })
      return campaignIds
    }
    // Emails that are settled and contacts who unsubscribe hold the same rows, one of them in another order.
    const campaignIds = await retryUndone(() => db.transaction().execute(goOn))
    for (const campaignId of campaignIds ?? []) live.publish('sending', campaignId)
    return campaignIds !== undefined
  } catch (error) {
    log.error({ err: error, workspaceId, journeyId: id }, 'a journey could not go on')
    const [stateText, pauseMs] = isCanceled(error) ? [TOO_SLOW, SLOW_PAUSE_MS] : [FAILED, FAILURE_PAUSE_MS]
    await db.transaction().execute(async (db) => {
      // Who enters at this moment holds it too, and must not be passed over.
      const journey = await store.holdJourney(db, workspaceId, id)
      if (journey) await store.noteNextDue(db, workspaceId, id, { pauseMs, stateText })
    })
    return true
  }
}
