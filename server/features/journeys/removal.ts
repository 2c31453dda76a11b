/** What becomes of journeys when their workspace is removed. */
import { sql } from 'kysely'
import type { WorkspacePart } from '#server/features/accounts/index.ts'

/** Rows a statement: others hardly wait. */
const SLICE = 2_000

export const journeysRemoval: WorkspacePart = {
  async stop(_services, db, workspaceId) {
    await db.updateTable('journeys').set({ state: 'archived' }).where('workspaceId', '=', workspaceId).execute()
    return () => undefined
  },
  empty: (db, workspaceId, all) =>
    all(async () => {
      const result = await sql`delete from journey_people where workspace_id = ${workspaceId} and id = any(array(
        select id from journey_people where workspace_id = ${workspaceId} limit ${SLICE}))`.execute(db)
      return Number(result.numAffectedRows ?? 0)
    }),
}
