import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'

/** A statement of a filter that takes longer is ended: others wait for the same processors. */
const TIMEOUT_MS = 5_000

const isCanceled = (error: unknown) => (error as { code?: string }).code === '57014'

/** Reads by a filter in a transaction. Refusal 400, naming `field`, where one of its statements takes too long. */
export async function withinTime<T>(
  db: Db,
  field: string,
  read: (db: Db) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  try {
    return await db.transaction().execute(async (db) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(db)
      return read(db)
    })
  } catch (error) {
    throw isCanceled(error) ? invalid(field, 'takes too long: use fewer conditions') : error
  }
}
