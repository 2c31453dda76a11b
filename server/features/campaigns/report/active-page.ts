/** Pages of the recipients who did one thing, read along an index: they cost the same for ten recipients and a million. */
import { sql } from 'kysely'
import type { RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import { type Activity, countActivity, markedMessages, storedActivity } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { requireChannel } from '../channels/index.ts'
import type { RecipientChoice, ReportedCampaign } from './recipients.ts'

/** One recipient of so many did it: a page of them is found sooner among those who did than among all. */
const RARE = 50

interface PageStart {
  sort: RecipientOrder
  after?: { key: string; place: string } | undefined
  limit: number
}

/** What the filter asks for, where it is one activity alone that has an index. */
export function findActivity(campaign: ReportedCampaign, choice: RecipientChoice): Activity | undefined {
  const { event, machine, link, client, q, state } = choice
  const isAlone = link === undefined && client === undefined && !q && state === undefined
  if (!isAlone || (event && requireChannel(campaign.channel).recipientEvents?.[event])) return undefined
  if (event === 'opened') return machine ? 'machineOpened' : 'opened'
  if (event === 'clicked') return machine ? 'machineClicked' : 'clicked'
  return event === 'unsubscribed' ? event : undefined
}

/** Turns ways of the planner off or on: it knows too little of a campaign's messages to read along an index by itself. */
const setWays = (db: Db, ways: string[], value: 'off' | 'on') =>
  sql`select ${sql.join(ways.map((way) => sql`set_config(${`enable_${way}`}, ${value}, true)`))}`.execute(db)
const LOOK_UP = ['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan']

/**
 * The first `limit` messages from a place on whose recipients did it and are counted as they are; others may belong between them. In a
 * transaction, which needs one snapshot to find those others.
 */
export async function findCandidates(
  db: Db,
  campaign: ReportedCampaign,
  activity: Activity,
  { sort, after, limit }: PageStart,
): Promise<string[]> {
  const { workspaceId, id } = campaign
  const isByTime = sort === 'activity'
  const isRare =
    !isByTime && (await countActivity(db, campaign, activity)) * RARE < (await countRecipients(db, campaign))
  const at = sql`'epoch'::timestamptz + ${after?.key || '0'}::bigint * interval '1 microsecond'`
  const rest = isByTime
    ? sql`and a.at <= ${at} and (a.at < ${at} or m.contact_id > ${after?.place ?? '0'})`
    : sql`and m.contact_id > ${after?.place ?? '0'}`
  const ways = isRare ? LOOK_UP : [...LOOK_UP, 'sort']
  await setWays(db, ways, 'off')
  const { rows } = await sql<{ id: string }>`
    with ${markedMessages(campaign)}, few as ${isRare ? sql`materialized` : sql`not materialized`} (${storedActivity(campaign, [activity])})
    select m.id from few a join messages m on m.workspace_id = ${workspaceId} and m.id = a.message_id
    where m.campaign_id = ${id} ${after ? rest : sql``} order by ${isByTime ? sql`a.at desc,` : sql``} m.contact_id limit ${limit}`.execute(
    db,
  )
  await setWays(db, ways, 'on')
  return rows.map((row) => row.id)
}

async function countRecipients(db: Db, { workspaceId, id }: ReportedCampaign): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select queued + claimed + sent + deferred + failed + bounced + suppressed + unconfirmed as count
    from campaign_counts where workspace_id = ${workspaceId} and campaign_id = ${id}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
