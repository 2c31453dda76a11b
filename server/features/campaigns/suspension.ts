import { sql } from 'kysely'
import { SUSPENDED } from '#server/features/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Pauses what a workspace is sending, because its account is suspended. Returns the ids, for the sending thread. */
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
