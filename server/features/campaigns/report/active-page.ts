/** Pages of recipients read along an index, where one has them in their order: most cost about the same for ten recipients and a million. */
import { sql } from 'kysely'
import type { RecipientEvent, RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import { normalizeEmail } from '#server/features/contacts/index.ts'
import {
  BY_PEOPLE,
  countDeed,
  countRefused,
  markedDeed,
  markedMessages,
  storedAmong,
} from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import { LOOK_UP, withoutWays } from '#server/platform/db/planner.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { requireChannel } from '../channels/index.ts'
import { findMarked } from './marked.ts'
import {
  type Candidates,
  findDeed,
  hasState,
  holdsText,
  REFUSED,
  type RecipientChoice,
  type ReportedCampaign,
  TROUBLED,
} from './recipients.ts'
import {
  type Find,
  type IndexedChoice,
  isCounted,
  isLater,
  itsMessage,
  joinDone,
  NO_TIME,
  type Ordered,
  type PageStart,
  sortAll,
  sortDoers,
  sortStates,
  walkMessages,
  walkTimes,
} from './walks.ts'

/** Of a state with an index of its own so many are looked up and sorted; more are found along the order. */
const MAX_SORTED = 50_000
/** Recipients whose names are looked up one by one. */
const MAX_LOOKED_UP = 1_000
/** Found in a search, so many are sorted by time. */
const MAX_FOUND = 5_000

/** Whether only the campaign's channel can tell of an event. */
function hasOwn(campaign: ReportedCampaign, event: RecipientEvent | undefined): boolean {
  const own = requireChannel(campaign.channel).recipientEvents ?? {}
  return event !== undefined && (own[event] !== undefined || (event === 'no_response' && Object.keys(own).length > 0))
}

/** What the filter asks for, where indexes find it in this order; undefined: they do not. */
export async function findIndexed(
  db: Db,
  campaign: ReportedCampaign,
  choice: RecipientChoice,
  sort: RecipientOrder,
): Promise<IndexedChoice | undefined> {
  const { event, q, state } = choice
  // In order of activity everything counts that may be a response, also what only the channel knows.
  if (sort === 'address' || hasOwn(campaign, event ?? (sort === 'activity' ? 'no_response' : undefined)))
    return undefined
  const found = await findDeed(db, campaign, choice)
  if (found === 'unknown') return undefined
  const states = event === 'bounced' ? ['bounced', 'failed'] : state && TROUBLED.includes(state) ? [state] : undefined
  const isSent = found?.isMissing ? sql`and m.state = 'sent'` : sql``
  const and = sql`${hasState(state)} ${event === 'bounced' ? REFUSED : sql``} ${isSent}`
  // A state alone says all of its messages, and that a message bounced is that it was refused.
  const whole = found?.isMissing || (event === 'bounced' && state) ? [] : event === 'bounced' ? ['bounced'] : states
  const isAny = !state && event !== 'bounced' && !found?.isMissing
  return { deed: found?.deed, isMissing: found?.isMissing ?? false, and, isAny, states, whole, q }
}

/** How many recipients a filter without a search or state finds, by figures; undefined: none says so. In a transaction of one snapshot. */
export async function countIndexed(
  db: Db,
  campaign: ReportedCampaign,
  choice: RecipientChoice,
): Promise<number | undefined> {
  if (choice.event === 'bounced') return countRefused(db, campaign)
  const found = hasOwn(campaign, choice.event) ? 'unknown' : await findDeed(db, campaign, choice)
  if (!found || found === 'unknown') return undefined
  const { deed, isMissing } = found
  const done = await countDeed(db, campaign, deed)
  if (!isMissing || done === undefined) return done
  const { workspaceId, id } = campaign
  const { sent, waiting } = await countStates(db, campaign)
  if (waiting > 0) return undefined
  // Those who did it and whose message is not in state sent: it bounced later, for one.
  const elsewhere = sql`select id from messages where workspace_id = ${workspaceId} and campaign_id = ${id} and trouble is not null`
  const { rows } = await withoutWays(db, LOOK_UP, (db) =>
    sql<{ count: string }>`
    with all_marked as materialized (
      with ${markedMessages(campaign)} select message_id from marked
    ), marked as materialized (
      select message_id from all_marked where (message_id in (${elsewhere})) is true
    )
    select (
      select count(*) from (${storedAmong(campaign, deed, elsewhere)}) stored
    ) + (
      select count(*) from (${markedDeed(campaign, deed)}) done
    ) as count`.execute(db),
  )
  return sent - (done - Number(rows[0]?.count ?? 0))
}

/**
 * The first `limit` messages from a place on that are meant and counted as they are; others may belong between them. In a transaction of
 * one snapshot, in which those others are found. Throws Refusal 400 for the cursor of another order.
 */
export async function findCandidates(
  db: Db,
  campaign: ReportedCampaign,
  choice: IndexedChoice,
  { sort, after, limit, known }: PageStart,
): Promise<Candidates> {
  if (after && after.sort !== sort) throw invalid('cursor', 'is not a cursor of this list')
  const isWhole = sort === 'added' && choice.deed === undefined
  const find: Find = async (query, { isSorted, limit }) =>
    withoutWays(db, isSorted ? LOOK_UP : [...LOOK_UP, 'sort'], async (db) => {
      const { rows } = await sql<{ id: string }>`
        with ${markedMessages(campaign)} ${query} limit ${limit}`.execute(db)
      return rows.map((row) => row.id)
    })
  const ordered = { db, campaign, choice, after, limit, known, find, isCounted: isWhole ? sql`` : isCounted }
  const ids = await walk(ordered, sort)
  return {
    ids,
    isWhole,
    marked: isWhole ? undefined : await findMarked(db, campaign, choice, { sort, after, limit }, ids),
  }
}

async function walk(ordered: Ordered, sort: RecipientOrder): Promise<string[]> {
  const { db, campaign, choice, after, limit } = ordered
  const counts = await countStates(db, campaign)
  const { deed, isMissing, states } = choice
  const ofStates = states?.reduce((sum, state) => sum + counts[state as keyof typeof counts], 0)
  const isByTime = sort === 'activity' && !isMissing
  if (choice.q) return searchMessages(ordered, isByTime, counts.recipients)
  // No message in one of these states is sent.
  if (states && isMissing) return []
  if (states && (isByTime || deed) && (ofStates ?? 0) <= MAX_SORTED) return sortStates(ordered, states, isByTime)
  if (isByTime) {
    const done = after?.key === NO_TIME ? [] : await walkTimes(ordered)
    if (deed || done.length >= limit) return done
    const rest = { ...choice, deed: BY_PEOPLE, isMissing: true }
    const from = after?.key === NO_TIME ? after : undefined
    return [...done, ...(await walkMessages({ ...ordered, choice: rest, after: from, limit: limit - done.length }))]
  }
  if (deed && !isMissing) {
    const done = ordered.known ?? (await countDeed(db, campaign, deed))
    // Looking all of them up costs less than walking until a page is full: `done` rows against about limit * recipients / done.
    if (done !== undefined && done ** 2 < limit * counts.recipients) return sortDoers(ordered, deed)
  }
  return walkMessages(ordered)
}

/**
 * Messages whose address or name holds a text. As they were added two walks meet: along the addresses of the campaign and along the names of
 * the workspace. By time, what they find is sorted where it is little, and met along the times where it is much.
 */
async function searchMessages(ordered: Ordered, isByTime: boolean, recipients: number): Promise<string[]> {
  const { campaign, choice, after, limit, find, isCounted } = ordered
  const { workspaceId, id } = campaign
  const q = choice.q ?? ''
  const text = holdsText(workspaceId, q)
  // Who looks for a whole address means that one.
  const email = normalizeEmail(q)
  const ofContact = sql`(select * from messages where workspace_id = ${workspaceId} and campaign_id = ${id} and contact_id = c.id limit 1)`
  const whole = { ...choice, and: sql`${choice.and} ${text}`, states: undefined }
  const search = async (after: PageStart['after'], limit: number): Promise<string[]> => {
    if (recipients <= MAX_LOOKED_UP) return walkMessages({ ...ordered, choice: whole, after, limit })
    const done = joinDone(campaign, choice)
    const rest = sql`${done.and} ${choice.and} ${isCounted} ${isLater(after)}`
    if ('key' in email) {
      const [one] = await find(
        sql`select m.id from contacts c cross join lateral ${ofContact} m ${done.join}
        where c.workspace_id = ${workspaceId} and c.email_key = ${email.key} and lower(m.address) = ${email.key} ${rest}`,
        { isSorted: true, limit: 1 },
      )
      if (one) return [one]
    }
    return find(
      sql`select id from (
        (select m.id, m.contact_id from messages m ${done.join} where m.workspace_id = ${workspaceId} and m.campaign_id = ${id}
          and lower(m.address) like ${holding(q)} ${rest} order by m.contact_id limit ${limit})
        union
        (select m.id, m.contact_id from contacts c cross join lateral ${ofContact} m ${done.join} where c.workspace_id = ${workspaceId} and lower(c.name) like ${holding(q)} ${after ? sql`and c.id > ${after.place}` : sql``}
          ${rest} order by c.id limit ${limit})
      ) m order by contact_id`,
      { isSorted: true, limit },
    )
  }
  if (!isByTime) return search(after, limit)
  const found = await search(undefined, MAX_FOUND)
  if (found.length === MAX_FOUND) return walk({ ...ordered, choice: { ...whole, q: undefined } }, 'activity')
  const these = sql`unnest(${found}::bigint[]) as r (message_id) cross join lateral ${itsMessage(campaign)} m`
  return sortAll(ordered, these, sql`true`, true)
}

async function countStates(db: Db, { workspaceId, id }: ReportedCampaign) {
  const states = ['sent', 'deferred', 'failed', 'bounced', 'suppressed', 'unconfirmed'] as const
  const { rows } = await sql<Record<(typeof states)[number] | 'waiting', string>>`
    select ${sql.join(states.map((state) => sql.ref(state)))}, queued + claimed as waiting
    from campaign_counts where workspace_id = ${workspaceId} and campaign_id = ${id}`.execute(db)
  const counts = Object.fromEntries(
    [...states, 'waiting' as const].map((name) => [name, Number(rows[0]?.[name] ?? 0)]),
  ) as Record<(typeof states)[number] | 'waiting', number>
  return { ...counts, recipients: Object.values(counts).reduce((a, b) => a + b, 0) }
}
