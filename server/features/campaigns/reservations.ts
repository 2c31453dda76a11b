/** What campaigns reserve of a month's limit: decided when they start, given back when they end. */
import { sql } from 'kysely'
import { type CountedUse, changeReservation, month, USAGE_COLUMNS } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/**
 * What a campaign has in hand: what it reserved this month and before, and how many people it may still reach or reached.
 * Holds its row: others lock it before the count of the month too, so that nobody waits in a circle.
 */
async function readNeed(db: Db, workspaceId: string, campaignId: string) {
  const { rows } = await sql<{ reserved: string; before: string; people: string | null }>`
    select
      case when c.reserved_month = ${month} then c.reserved else 0 end as reserved,
      c.reserved_before + case when c.reserved_month < ${month} then c.reserved else 0 end as before,
      n.queued + n.claimed + n.deferred + n.sent + n.bounced + n.unconfirmed as people
    from campaigns c left join campaign_counts n on n.workspace_id = ${workspaceId} and n.campaign_id = c.id
    where c.id = ${campaignId} and c.workspace_id = ${workspaceId} for no key update of c`.execute(db)
  const row = rows[0]
  return (
    row && {
      reserved: Number(row.reserved),
      before: Number(row.before),
      people: row.people === null ? undefined : Number(row.people),
    }
  )
}

/**
 * Reserves a campaign's messages of this month, counted as `what`, in the transaction that starts it: `people` while its
 * recipients are not written down, and by their number once they are. What is not sent is given back when it ends, by the
 * database itself. Throws Refusal 402.
 */
export async function reserveCampaign(
  context: Parameters<typeof changeReservation>[0],
  db: Db,
  workspaceId: string,
  campaignId: string,
  what: CountedUse,
  people?: number,
): Promise<void> {
  const need = await readNeed(db, workspaceId, campaignId)
  if (!need) return
  const wanted = (need.people ?? people ?? 0) - need.before
  await changeReservation(context, db, workspaceId, what, need.reserved, wanted)
  await sql`update campaigns set reserved = ${wanted}, reserved_before = ${need.before}, reserved_month = ${month},
      reserved_of = ${USAGE_COLUMNS[what]}
    where workspace_id = ${workspaceId} and id = ${campaignId}`.execute(db)
}

/** Gives back what campaigns that ended while messages were in hand did not use after all (trigger campaigns_settled). */
export async function settleEnded(db: Db): Promise<void> {
  await sql`update campaigns c set state = c.state from campaign_counts n
    where n.workspace_id = c.workspace_id and n.campaign_id = c.id and c.state in ('sent', 'cancelled', 'failed') and c.reserved_month = ${month}
      and c.reserved > n.sent + n.bounced + n.unconfirmed + n.claimed - c.reserved_before and c.reserved > 0`.execute(
    db,
  )
}
