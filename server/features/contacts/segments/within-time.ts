import { sql } from 'kysely'
import { isCanceled } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid, tooMany } from '#server/platform/http/refusal.ts'
import { Semaphore } from '#server/platform/semaphore.ts'

/** A statement of a filter that takes longer is ended: others wait for the same processors. */
const TIMEOUT_MS = 5_000
/** Filters read at once in this process: each has a connection of the pool that serves all requests, and memory for its sets. */
const reads = new Semaphore({ total: 2, each: 1 })
/** Filters of a workspace that wait for their turn; more are refused. */
const MAX_WAITING = 10
const RETRY_SECONDS = 5

interface FilterRead {
  workspaceId: string
  /** The name of the filter in the request. */
  field: string
  timeoutMs?: number
  /** What is said of a read that took too long. */
  tooLong?: string
}

/**
 * Reads by a filter, in its turn and in a transaction. Refusal 400, naming `field`, where one of its statements takes too
 * long, 429 where the workspace has too many others waiting.
 */
export async function withinTime<T>(
  db: Db,
  { workspaceId, field, timeoutMs = TIMEOUT_MS, tooLong = 'takes too long: use fewer conditions' }: FilterRead,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  if (reads.countWaiting(workspaceId) >= MAX_WAITING)
    throw tooMany('Other filters are still being counted. Try again in a few seconds.', RETRY_SECONDS)
  const release = await reads.acquire(workspaceId)
  try {
    return await db.transaction().execute(async (db) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(db)
      return read(db)
    })
  } catch (error) {
    throw isCanceled(error) ? invalid(field, tooLong) : error
  } finally {
    release()
  }
}
