import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** The rows of a query written as SQL. */
export async function selectRows<R>(db: Db, query: RawBuilder<R>): Promise<R[]> {
  return (await query.execute(db)).rows
}
