import { sql } from 'kysely'
import type { Counts } from '#contracts/campaigns/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CampaignRow, selectCampaigns, toCounts } from './campaign-rows.ts'

export interface StepFields {
  afterMinutes: number
  templateId: string | null
  html: string
  stopOnReply: boolean
  stopOnClick: boolean
}

/** The follow-ups of a campaign in order. */
export function listFollowUps(db: Db, workspaceId: string, parentId: string): Promise<CampaignRow[]> {
  return selectCampaigns(db, workspaceId).where('campaigns.parentId', '=', parentId).orderBy('campaigns.step').execute()
}

/** Their counts alone, for those who watch. */
export async function listStepCounts(
  db: Db,
  workspaceId: string,
  parentId: string,
): Promise<{ id: string; step: number; counts: Counts }[]> {
  const rows = await listFollowUps(db, workspaceId, parentId)
  return rows.map((row) => ({ id: row.id, step: row.step, counts: toCounts(row) }))
}

/** Holds a draft that is about to be edited, until the transaction ends. Returns whether it is one. */
export async function holdDraft(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db
    .updateTable('campaigns')
    .set({ updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('parentId', 'is', null)
    .where('state', '=', 'draft')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Sets the whole sequence: a step that was there keeps its id. */
export async function setFollowUps(db: Db, parent: CampaignRow, steps: StepFields[]): Promise<void> {
  await db
    .deleteFrom('campaigns')
    .where('workspaceId', '=', parent.workspaceId)
    .where('parentId', '=', parent.id)
    .where('step', '>', steps.length + 1)
    .execute()
  for (const [index, fields] of steps.entries()) {
    const { workspaceId, id: parentId, name, channel } = parent
    await db
      .insertInto('campaigns')
      .values({ workspaceId, parentId, name, channel, step: index + 2, ...fields })
      .onConflict((conflict) =>
        conflict
          .columns(['workspaceId', 'parentId', 'step'])
          .where('parentId', 'is not', null)
          .doUpdateSet({ ...fields, updatedAt: sql<Date>`excluded.updated_at` }),
      )
      .execute()
  }
}

/** How many recipients of each step are excluded, by the reason noted with the message. */
export async function countExcluded(
  db: Db,
  workspaceId: string,
  ids: string[],
): Promise<{ campaignId: string; reason: string; count: number }[]> {
  const { rows } = await sql<{ campaignId: string; reason: string; count: number }>`
    select campaign_id, reason, count(*)::int as count from messages
    where workspace_id = ${workspaceId} and campaign_id = any(${ids}::bigint[]) and state = 'suppressed' group by campaign_id, reason`.execute(
    db,
  )
  return rows
}
