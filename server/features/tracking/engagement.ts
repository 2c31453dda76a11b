import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** How many recipients opened and clicked, by campaign: those with at least one human event. */
export async function openedAndClicked(db: Db, workspaceId: string, campaignIds: string[]): Promise<Map<string, { opened: number; clicked: number }>> {
  if (campaignIds.length === 0) return new Map()
  const { rows } = await sql<{ campaignId: string; opened: string; clicked: string }>`
    select campaign_id, count(distinct message_id) filter (where kind = 'open') as opened, count(distinct message_id) filter (where kind = 'click') as clicked
    from events where workspace_id = ${workspaceId} and campaign_id = any(${campaignIds}::bigint[]) and class = 'human'
    group by campaign_id`.execute(db)
  return new Map(rows.map((row) => [row.campaignId, { opened: Number(row.opened), clicked: Number(row.clicked) }]))
}
