import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** What a campaign says that does not go on because its account is suspended. */
export const SUSPENDED = 'Paused: the account was suspended. Nothing is lost; resume it once the account is open again.'

/** Pauses what a workspace is sending, because its account is suspended. Answers the ids, for the sending thread. */
export async function pauseForSuspension(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .updateTable('campaigns')
    .set({ state: 'paused', stateText: SUSPENDED, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'sending')
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}
