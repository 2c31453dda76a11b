import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { RunningCampaign, SenderRest } from './sending.ts'

/** Milliseconds until the next message of a campaign or its follow-ups is due (0: now); undefined when none waits. */
export async function nextDue(db: Db, { id, sequence = [id] }: RunningCampaign): Promise<number | undefined> {
  const waits = await Promise.all(sequence.map((id) => findNextDue(db, id)))
  const known = waits.filter((wait) => wait !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

async function findNextDue(db: Db, campaignId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('messages')
    .where('campaignId', '=', campaignId)
    .where('dueAt', 'is not', null)
    .select(sql<number>`greatest(0, extract(epoch from due_at - now())::float8 * 1000)`.as('wait'))
    .orderBy('dueAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.wait
}

/** Holds a campaign, until the transaction ends, whose messages are queued again or that ends. Returns its state; of a follow-up it is that of the first email. */
export async function holdCampaign(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select state from campaigns where workspace_id = ${workspaceId}
      and id = (select coalesce(parent_id, id) from campaigns where workspace_id = ${workspaceId} and id = ${id}) for update`.execute(
    db,
  )
  return rows[0]?.state
}

/** Whether a campaign is being sent and none of its messages waits or is under way. */
async function isOver(db: Db, { id, workspaceId }: RunningCampaign, sequence: string[]): Promise<boolean> {
  const { rows } = await sql`
    select id from campaigns where workspace_id = ${workspaceId} and id = ${id} and state = 'sending' and audience_at is not null
      and not exists (select 1 from campaign_counts where workspace_id = ${workspaceId} and campaign_id = any(${sequence}::bigint[])
        and queued + claimed + deferred > 0)`.execute(db)
  return rows.length > 0
}

/** Nothing could be claimed: the campaign is sent when nothing is under way or waiting, else it is looked at when the next is due. */
export async function finish(db: Db, campaign: RunningCampaign): Promise<SenderRest> {
  const { id, sequence = [id] } = campaign
  if (await isOver(db, campaign, sequence)) {
    const hasEnded = await db.transaction().execute(async (db) => {
      // Who queues messages again holds the row too: without it one that commits at this moment would be passed over, and wait for ever.
      await holdCampaign(db, campaign)
      if (!(await isOver(db, campaign, sequence))) return false
      await sql`update campaigns set state = 'sent', state_text = '', finished_at = now(), updated_at = now()
        where workspace_id = ${campaign.workspaceId} and id = ${id}`.execute(db)
      return true
    })
    if (hasEnded) return { again: 0 }
  }
  const due = await nextDue(db, campaign)
  const again = Math.max(250, Math.min(due ?? 500, 60_000))
  // Nothing is in the way of a follow-up that waits for its time: what was, is over.
  return sequence.length > 1 ? { again, text: '' } : { again }
}
