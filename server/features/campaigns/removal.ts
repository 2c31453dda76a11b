/** What becomes of campaigns when their workspace is removed. */
import { sql } from 'kysely'
import type { DeleteAll, WorkspacePart } from '#server/features/accounts/index.ts'
import { deleteMessageEvents, deleteSomeEvents, rollWorkspace } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { holdLaunches } from './launch/attempt.ts'

/** Rows a statement: others hardly wait. */
const SLICE = 2_000

/** Cancels every campaign: no further message is handed over, and no launch writes recipients. */
async function cancelAll(db: Db, workspaceId: string): Promise<string[]> {
  await holdLaunches(db, workspaceId)
  const stopped = await db
    .updateTable('campaigns')
    .set({ state: 'cancelled', stateText: '', finishedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['scheduled', 'sending', 'paused'])
    .returning('id')
    .execute()
  return stopped.map((row) => row.id)
}

/** Whether a worker still has messages of the workspace in its hands: what their servers reply, perhaps a bounce, is waited for. */
async function isSending(db: Db, workspaceId: string): Promise<boolean> {
  const query = db.selectFrom('claims').where('workspaceId', '=', workspaceId).select('id').limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

/** Deletes some messages of a campaign and their events; returns how many messages. */
function deleteSomeMessages(db: Db, workspaceId: string, campaignId: string): Promise<number> {
  return db.transaction().execute(async (db) => {
    // Ids are given as arrays: they lead the planner to the index where a join alone would read whole tables.
    const { rows } = await sql<{ id: string }>`
      delete from messages where workspace_id = ${workspaceId} and id = any(array(
        select id from messages where workspace_id = ${workspaceId} and campaign_id = ${campaignId} limit ${SLICE})) returning id`.execute(
      db,
    )
    if (rows.length === 0) return 0
    await deleteMessageEvents(
      db,
      workspaceId,
      rows.map((row) => row.id),
    )
    return rows.length
  })
}

async function empty(db: Db, workspaceId: string, all: DeleteAll): Promise<void> {
  const campaigns = await db.selectFrom('campaigns').where('workspaceId', '=', workspaceId).select('id').execute()
  for (const { id } of campaigns) {
    await all(() => deleteSomeMessages(db, workspaceId, id))
    // Those that came while the messages went.
    await all(() => deleteSomeEvents(db, workspaceId, id, SLICE))
  }
  // No event is left, and so no figure; none is counted once the workspace is gone.
  await rollWorkspace(db, workspaceId)
}

export const campaignsRemoval: WorkspacePart = {
  async stop({ live }, db, workspaceId) {
    const ids = await cancelAll(db, workspaceId)
    return () => {
      for (const id of ids) live.publish('sending', id)
    }
  },
  isBusy: isSending,
  empty,
}
