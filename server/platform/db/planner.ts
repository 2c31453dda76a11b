import { sql } from 'kysely'
import type { Db } from './database.ts'

/** A way of the planner that a statement may be better without: enable_… of PostgreSQL. */
export type Way = 'hashjoin' | 'mergejoin' | 'nestloop' | 'seqscan' | 'bitmapscan' | 'sort'

/** Without these a statement looks rows up one after the other, by an index, whatever the planner believes of their number. */
export const LOOK_UP: Way[] = ['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan']

/** Runs statements without ways that the planner takes because it knows too little of large tables, in a transaction. */
export async function withoutWays<T>(db: Db, ways: Way[], run: (db: Db) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute((db) => withoutWays(db, ways, run))
  const set = (value: 'off' | 'on') =>
    sql`select ${sql.join(ways.map((way) => sql`set_config(${`enable_${way}`}, ${value}, true)`))}`.execute(db)
  await set('off')
  const result = await run(db)
  await set('on')
  return result
}
