/**
 * What campaigns refer to and may be removed: those that need it no longer forget it, and the others' foreign keys keep it.
 * The campaigns are locked first, so that none is launched meanwhile.
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

const ACTIVE = ['scheduled', 'sending', 'paused']

/** The email of a journey that may queue more of it at any moment. */
const isNeededByJourney = (workspaceId: string) => sql<boolean>`(campaigns.journey_id is not null and exists (
  select 1 from journeys j join journey_steps s on s.workspace_id = ${workspaceId} and s.journey_id = j.id
  where j.workspace_id = ${workspaceId} and j.id = campaigns.journey_id and j.state in ('active', 'paused') and s.campaign_id = campaigns.id))`

/** Drafts and ended campaigns forget a sender, but for the emails of journeys. */
export async function forgetSender(db: Db, workspaceId: string, senderId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns where workspace_id = ${workspaceId} and not state = any(${ACTIVE}::text[])
      and not ${isNeededByJourney(workspaceId)} and (sender_id = ${senderId} or exists (select 1 from campaign_senders own
        where own.workspace_id = ${workspaceId} and own.campaign_id = campaigns.id and own.sender_id = ${senderId}))
    order by id for update`.execute(db)
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return
  await db
    .updateTable('campaigns')
    .set({ senderId: null })
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .where('senderId', '=', senderId)
    .execute()
  await db
    .deleteFrom('campaignSenders')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', 'in', ids)
    .where('senderId', '=', senderId)
    .execute()
  await noteEdit(db, workspaceId, ids)
}

/** The campaigns and journeys for which a sender may not be removed, the oldest first; the emails of a journey are the journey's. */
export async function listSenderUses(
  db: Db,
  workspaceId: string,
  senderId: string,
): Promise<{ kind: 'campaign' | 'journey'; name: string }[]> {
  const { rows } = await sql<{ kind: 'campaign' | 'journey'; name: string }>`
    select case when j.id is null then 'campaign' else 'journey' end as kind, coalesce(j.name, campaigns.name) as name
    from campaigns left join journeys j on j.workspace_id = ${workspaceId} and j.id = campaigns.journey_id
    where campaigns.workspace_id = ${workspaceId} and (campaigns.state = any(${ACTIVE}::text[]) or ${isNeededByJourney(workspaceId)})
      and (campaigns.sender_id = ${senderId} or exists (select 1 from campaign_senders own
        where own.workspace_id = ${workspaceId} and own.campaign_id = campaigns.id and own.sender_id = ${senderId}))
    group by j.id, 1, 2, case when j.id is null then campaigns.id end order by min(campaigns.id)`.execute(db)
  return rows
}

/** All forget a template but those that are yet to start: their content is frozen only then. A follow-up starts with its parent. */
export async function forgetTemplate(db: Db, workspaceId: string, templateId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns where workspace_id = ${workspaceId} and id in (
      select coalesce(parent_id, id) from campaigns where workspace_id = ${workspaceId} and template_id = ${templateId})
    order by id for update`.execute(db)
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return
  await sql`
    update campaigns set template_id = null where workspace_id = ${workspaceId} and template_id = ${templateId}
      and (plan is not null or not coalesce((select parent.state from campaigns parent
        where parent.workspace_id = ${workspaceId} and parent.id = campaigns.parent_id), state) = any(${ACTIVE}::text[]))`.execute(
    db,
  )
  await noteEdit(db, workspaceId, ids)
}

/** A draft that lost something is not the one that was checked: Send checks it again. */
async function noteEdit(db: Db, workspaceId: string, ids: string[]): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .where('state', '=', 'draft')
    .execute()
}
