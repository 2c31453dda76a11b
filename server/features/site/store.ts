import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Stores a message and returns its id. */
export async function insertMessage(
  db: Db,
  message: { name: string; email: string; message: string },
): Promise<string> {
  return (await db.insertInto('contactMessages').values(message).returning('id').executeTakeFirstOrThrow()).id
}

export function messageById(db: Db, id: string) {
  return db.selectFrom('contactMessages').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Deletes up to `most` messages older than so many days. Returns how many there were. */
export async function deleteOldMessages(db: Db, days: number, most: number): Promise<number> {
  const old = db
    .selectFrom('contactMessages')
    .where('createdAt', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .select('id')
    .limit(most)
  return Number((await db.deleteFrom('contactMessages').where('id', 'in', old).executeTakeFirst()).numDeletedRows)
}

/** Notes that the operator's mail server took it. */
export async function markMailed(db: Db, id: string): Promise<void> {
  await db.updateTable('contactMessages').set({ mailedAt: sql<Date>`now()` }).where('id', '=', id).execute()
}
