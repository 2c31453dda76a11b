/** Pages of the recipients who did one thing, or did not, read along an index: they cost the same for ten recipients and a million. */
import { sql } from 'kysely'
import type { RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import {
  type Activity,
  allActivity,
  countActivity,
  didAny,
  markedMessages,
  storedActivity,
} from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { requireChannel } from '../channels/index.ts'
import { type ActivityFilter, type RecipientChoice, type ReportedCampaign, toActivityFilter } from './recipients.ts'

/** One recipient of so many did it: a page of them is found sooner among those who did than among all. */
const RARE = 50

interface PageStart {
  sort: RecipientOrder
  after?: { sort: RecipientOrder; key: string; place: string } | undefined
  limit: number
}

/** What the filter asks for, where it is about activities alone that have an index. */
export function findIndexed(campaign: ReportedCampaign, choice: RecipientChoice): ActivityFilter | undefined {
  const { event, link, client, q, state } = choice
  const own = requireChannel(campaign.channel).recipientEvents ?? {}
  const isAlone = link === undefined && client === undefined && !q && state === undefined
  const isOwn = event !== undefined && (own[event] || (event === 'no_response' && Object.keys(own).length > 0))
  return isAlone && !isOwn ? toActivityFilter(choice) : undefined
}

/** How many recipients that are; undefined: it has to be counted, because some messages are not yet sent. In a transaction of one snapshot. */
export async function countIndexed(
  db: Db,
  campaign: ReportedCampaign,
  filter: ActivityFilter,
): Promise<number | undefined> {
  const done = await countActivity(db, campaign, filter.activities)
  if (!filter.isMissing) return done
  const { workspaceId, id } = campaign
  const { sent, waiting } = await countStates(db, campaign)
  if (waiting > 0) return undefined
  // Those who did it and whose message is not in state sent are few: it bounced later, for one.
  const { rows } = await sql<{ count: string }>`
    with elsewhere as materialized (
      select id from messages where workspace_id = ${workspaceId} and campaign_id = ${id}
        and state in ('failed', 'bounced', 'suppressed', 'unconfirmed', 'deferred')
    ), ${markedMessages(campaign)}
    select (
      select count(*) from elsewhere cross join lateral (
        select 1 from message_rollups where workspace_id = ${workspaceId} and message_id = elsewhere.id and ${didAny(filter.activities)} limit 1
      ) did where id not in (select message_id from marked)
    ) + (
      select count(*) from (${allActivity(campaign, filter.activities, [])}) done where message_id in (select id from elsewhere)
    ) as count`.execute(db)
  return sent - (done - Number(rows[0]?.count ?? 0))
}

/** Turns ways of the planner off or on: it knows too little of a campaign's messages to read along an index by itself. */
const setWays = (db: Db, ways: string[], value: 'off' | 'on') =>
  sql`select ${sql.join(ways.map((way) => sql`set_config(${`enable_${way}`}, ${value}, true)`))}`.execute(db)
const LOOK_UP = ['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan']

/** The time in the cursor of a page in order of activity. Throws Refusal 400. */
function toTime(key: string) {
  if (!/^00\d{18}$/.test(key)) throw invalid('cursor', 'is not a cursor of this list')
  return sql`'epoch'::timestamptz + ${key}::bigint * interval '1 microsecond'`
}

/**
 * The first `limit` messages from a place on that are meant and counted as they are; others may belong between them. In a transaction of
 * one snapshot, in which those others are found. Throws Refusal 400 for the cursor of another order.
 */
export async function findCandidates(
  db: Db,
  campaign: ReportedCampaign,
  { activities, isMissing }: ActivityFilter,
  { sort, after, limit }: PageStart,
): Promise<string[]> {
  if (after && after.sort !== sort) throw invalid('cursor', 'is not a cursor of this list')
  const { workspaceId, id } = campaign
  const isByTime = sort === 'activity' && !isMissing
  const isRare = !isByTime && !isMissing && (await isDoneByFew(db, campaign, activities))
  const later = sql`m.contact_id > ${after?.place ?? '0'}`
  const at = isByTime && after ? toTime(after.key) : sql``
  const rest = isByTime && after ? sql`and a.at <= ${at} and (a.at < ${at} or ${later})` : sql`and ${later}`
  const ways = isRare ? LOOK_UP : [...LOOK_UP, 'sort']
  // `limit 1`: always by the index of the id. Left to itself the planner may read a campaign again for each row.
  const rollup = sql`(
    select at from (select message_id, true as at from message_rollups where workspace_id = ${workspaceId} and ${didAny(activities)}) r
    where message_id = m.id limit 1) done`
  const walk = isMissing
    ? sql`messages m left join lateral ${rollup} on true where m.state = 'sent' and done.at is null and`
    : sql`messages m cross join lateral ${rollup} where`
  const lookUp = sql`few a cross join lateral (select * from messages where workspace_id = ${workspaceId} and id = a.message_id limit 1) m where`
  await setWays(db, ways, 'off')
  const { rows } = await sql<{ id: string }>`
    with ${markedMessages(campaign)}, few as ${isRare ? sql`materialized` : sql`not materialized`} (${storedActivity(campaign, activities)})
    select m.id from ${isByTime || isRare ? lookUp : walk} m.workspace_id = ${workspaceId} and m.campaign_id = ${id}
      and m.id not in (select message_id from marked) ${after ? rest : sql``}
    order by ${isByTime ? sql`a.at desc,` : sql``} m.contact_id limit ${limit}`.execute(db)
  await setWays(db, ways, 'on')
  return rows.map((row) => row.id)
}

async function isDoneByFew(db: Db, campaign: ReportedCampaign, activities: Activity[]): Promise<boolean> {
  const { recipients } = await countStates(db, campaign)
  return (await countActivity(db, campaign, activities)) * RARE < recipients
}

async function countStates(db: Db, { workspaceId, id }: ReportedCampaign) {
  const { rows } = await sql<Record<'sent' | 'waiting' | 'recipients', string>>`
    select sent, queued + claimed as waiting, queued + claimed + sent + deferred + failed + bounced + suppressed + unconfirmed as recipients
    from campaign_counts where workspace_id = ${workspaceId} and campaign_id = ${id}`.execute(db)
  const { sent = 0, waiting = 0, recipients = 0 } = rows[0] ?? {}
  return { sent: Number(sent), waiting: Number(waiting), recipients: Number(recipients) }
}
