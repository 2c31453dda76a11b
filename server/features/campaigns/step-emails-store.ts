/** The rows of campaigns that send the emails of journeys. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** The email of a step, with what its report counts. */
export interface StepEmail {
  journeyId: string
  stepId: string
  campaignId: string
  name: string
  state: string
  stateText: string
  /** Emails sent, those that bounced afterwards included. */
  sent: number
}

/** The emails of journeys, those that were replaced by newer ones included. */
export async function readStepEmails(db: Db, workspaceId: string, journeyIds: string[]): Promise<StepEmail[]> {
  if (journeyIds.length === 0) return []
  const { rows } = await sql<StepEmail>`
    select c.journey_id, c.journey_step as step_id, c.id as campaign_id, c.name, c.state, c.state_text,
      coalesce(n.sent + n.bounced, 0)::int as sent
    from campaigns c left join campaign_counts n on n.workspace_id = ${workspaceId} and n.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and c.journey_id = any(${journeyIds}::bigint[]) and c.state <> 'draft'`.execute(
    db,
  )
  return rows
}

/** Deletes drafts of a journey's emails: they were never frozen, so that nothing refers to them. */
export async function deleteStepDrafts(db: Db, workspaceId: string, journeyId: string): Promise<void> {
  await db
    .deleteFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('journeyId', '=', journeyId)
    .where('state', '=', 'draft')
    .execute()
}

/** Freezes a draft with its compiled content: it has nobody to send to yet. Returns whether it still was a draft. */
export async function freezeStepDraft(
  db: Db,
  workspaceId: string,
  campaignId: string,
  { plan, tellsOrigins }: { plan: object; tellsOrigins: boolean },
): Promise<boolean> {
  const row = await db
    .updateTable('campaigns')
    .set({
      ...{ plan: JSON.stringify(plan), tellsOrigins, state: 'sent' },
      ...{ audienceAt: sql<Date>`now()`, startedAt: sql<Date>`now()`, finishedAt: sql<Date>`now()` },
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', campaignId)
    .where('state', '=', 'draft')
    // It may have been removed while the email was compiled.
    .where('senderId', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** After so many emails the breaker's counts begin anew: those of a journey never end, and bad addresses of today must not hide behind them. */
const BREAKER_WINDOW = 2_000

/** Lets a campaign that had nothing more to send go on, because somebody was queued. */
export async function reopen(db: Db, workspaceId: string, campaignId: string): Promise<void> {
  await sql`update campaigns set state = 'sending', state_text = '', finished_at = null, updated_at = (select now()),
      handed = case when handed >= ${BREAKER_WINDOW} then 0 else handed end,
      hard = case when handed >= ${BREAKER_WINDOW} then 0 else hard end,
      complained = case when handed >= ${BREAKER_WINDOW} then 0 else complained end
    where workspace_id = ${workspaceId} and id = ${campaignId} and state = 'sent'`.execute(db)
}

/** Whether any of these contacts has a queued message of a campaign. */
export async function hasQueued(
  db: Db,
  workspaceId: string,
  campaignId: string,
  contactIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`select 1 from messages where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
    and contact_id = any(${contactIds}::bigint[]) and state = 'queued' limit 1`.execute(db)
  return rows.length > 0
}

/** Ends what emails of a journey still send, and takes them out of sight. Their messages stay: links in them work for ever. Returns the ids. */
export async function hideStepEmails(db: Db, workspaceId: string, journeyId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update campaigns set deleted_at = now(), state = case when state in ('sending', 'paused') then 'cancelled' else state end
    where workspace_id = ${workspaceId} and journey_id = ${journeyId} and deleted_at is null returning id`.execute(db)
  return rows.map(({ id }) => id)
}
