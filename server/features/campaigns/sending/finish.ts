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

/** Nothing could be claimed: the campaign is sent when nothing is under way or waiting, else it is looked at when the next is due. */
export async function finish(db: Db, campaign: RunningCampaign): Promise<SenderRest> {
  const { id, workspaceId, sequence = [id] } = campaign
  const { rows } = await sql`
    update campaigns set state = 'sent', state_text = '', finished_at = now(), updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and state = 'sending' and audience_at is not null
      and not exists (select 1 from campaign_counts where workspace_id = ${workspaceId} and campaign_id = any(${sequence}::bigint[])
        and queued + claimed + deferred > 0)
    returning id`.execute(db)
  if (rows.length > 0) return { again: 0 }
  const due = await nextDue(db, campaign)
  const again = Math.max(250, Math.min(due ?? 500, 60_000))
  // Nothing is in the way of a follow-up that waits for its time: what was, is over.
  return sequence.length > 1 ? { again, text: '' } : { again }
}
