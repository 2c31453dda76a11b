/** Pages of recipients read along an index: they cost the same for ten recipients and a million. */
import { type RawBuilder, sql } from 'kysely'
import type { RecipientEvent, RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import {
  allDeeds,
  BY_PEOPLE,
  countDeed,
  countRefused,
  type Deed,
  lookUpDeed,
  markedMessages,
  partsByTime,
  storedDeed,
} from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { requireChannel } from '../channels/index.ts'
import {
  type Candidates,
  findDeed,
  hasState,
  joinByHash,
  REFUSED,
  type RecipientChoice,
  type ReportedCampaign,
  TROUBLED,
} from './recipients.ts'

/** Of a state with an index of its own so many are looked up and sorted; more are found along the order. */
const MAX_SORTED = 50_000

interface PageStart {
  sort: RecipientOrder
  after?: { sort: RecipientOrder; key: string; place: string } | undefined
  limit: number
}

/** What an index finds in order. */
export interface IndexedChoice {
  /** Those who did it, or did not (`isMissing`); undefined: everybody. */
  deed?: Deed | undefined
  isMissing: boolean
  /** What must hold of the message `m`. */
  and: RawBuilder<unknown>
  /** The states of the messages that are meant, where each is one of those that have an index. */
  states?: readonly string[] | undefined
}

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
  if (q || sort === 'address' || hasOwn(campaign, event ?? (sort === 'activity' ? 'no_response' : undefined)))
    return undefined
  const found = await findDeed(db, campaign, choice)
  if (found === 'unknown') return undefined
  const states = event === 'bounced' ? ['bounced', 'failed'] : state && TROUBLED.includes(state) ? [state] : undefined
  const isSent = found?.isMissing ? sql`and m.state = 'sent'` : sql``
  const and = sql`${hasState(state)} ${event === 'bounced' ? REFUSED : sql``} ${isSent}`
  return { deed: found?.deed, isMissing: found?.isMissing ?? false, and, states }
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
  const done = await joinByHash(db, (db) => countDeed(db, campaign, deed))
  if (!isMissing || done === undefined) return done
  const { workspaceId, id } = campaign
  const { sent, waiting } = await countStates(db, campaign)
  if (waiting > 0) return undefined
  // Those who did it and whose message is not in state sent are few: it bounced later, for one.
  const { rows } = await sql<{ count: string }>`
    with elsewhere as materialized (
      select id from messages where workspace_id = ${workspaceId} and campaign_id = ${id} and state in (${sql.join(TROUBLED.map(sql.lit))})
    ), ${markedMessages(campaign)}
    select (
      select count(*) from elsewhere cross join lateral (${lookUpDeed(campaign, deed, sql`elsewhere.id`)}) did
      where id not in (select message_id from marked)
    ) + (
      select count(*) from (${allDeeds(campaign, deed, [])}) done where message_id in (select id from elsewhere)
    ) as count`.execute(db)
  return sent - (done - Number(rows[0]?.count ?? 0))
}

/** Runs statements without ways of the planner that it takes because it knows too little of a campaign's messages. */
async function withoutWays<T>(db: Db, ways: string[], run: () => Promise<T>): Promise<T> {
  const set = (value: 'off' | 'on') =>
    sql`select ${sql.join(ways.map((way) => sql`set_config(${`enable_${way}`}, ${value}, true)`))}`.execute(db)
  await set('off')
  const result = await run()
  await set('on')
  return result
}
const LOOK_UP = ['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan']

/** In the cursor of a page in order of activity: nothing was done. */
const NO_TIME = '0'.repeat(20)

/** The time in the cursor of a page in order of activity. Throws Refusal 400. */
function toTime(key: string) {
  if (!/^00\d{18}$/.test(key)) throw invalid('cursor', 'is not a cursor of this list')
  return sql`('epoch'::timestamptz + ${key}::bigint * interval '1 microsecond')`
}

type Find = (sources: RawBuilder<unknown>, options: { isSorted: boolean; limit: number }) => Promise<string[]>

/**
 * The first `limit` messages from a place on that are meant and counted as they are; others may belong between them. In a transaction of
 * one snapshot, in which those others are found. Throws Refusal 400 for the cursor of another order.
 */
export async function findCandidates(
  db: Db,
  campaign: ReportedCampaign,
  choice: IndexedChoice,
  { sort, after, limit }: PageStart,
): Promise<Candidates> {
  if (after && after.sort !== sort) throw invalid('cursor', 'is not a cursor of this list')
  const isWhole = sort === 'added' && choice.deed === undefined
  const find: Find = async (query, { isSorted, limit }) =>
    withoutWays(db, isSorted ? LOOK_UP : [...LOOK_UP, 'sort'], async () => {
      const { rows } = await sql<{ id: string }>`
        with ${markedMessages(campaign)} ${query} limit ${limit}`.execute(db)
      return rows.map((row) => row.id)
    })
  const counts = await countStates(db, campaign)
  const ordered = { campaign, choice, after, limit, find, isCounted: isWhole ? sql`` : isCounted }
  return { ids: await walk(db, ordered, sort, counts), isWhole }
}

interface Ordered {
  campaign: ReportedCampaign
  choice: IndexedChoice
  after: PageStart['after']
  limit: number
  find: Find
  /** That the message `m` is counted as it is. */
  isCounted: RawBuilder<unknown>
}

async function walk(db: Db, ordered: Ordered, sort: RecipientOrder, counts: StateCounts): Promise<string[]> {
  const { campaign, choice, after, limit } = ordered
  const { deed, isMissing, states } = choice
  const ofStates = states?.reduce((sum, state) => sum + counts[state as keyof StateCounts], 0)
  const isByTime = sort === 'activity' && !isMissing
  const isFewByState = ofStates !== undefined && ofStates <= MAX_SORTED && (isByTime || deed !== undefined)
  if (isFewByState) return sortStates(ordered, isByTime)
  if (isByTime) {
    const done = after?.key === NO_TIME ? [] : await walkTimes(ordered)
    if (deed || done.length >= limit) return done
    const rest = { ...choice, deed: BY_PEOPLE, isMissing: true }
    const from = after?.key === NO_TIME ? after : undefined
    return [...done, ...(await walkMessages({ ...ordered, choice: rest, after: from, limit: limit - done.length }))]
  }
  if (deed && !isMissing) {
    const done = await countDeed(db, campaign, deed)
    // Looking all of them up costs less than walking until a page is full.
    if (done !== undefined && done ** 2 < limit * counts.recipients) return sortDoers(ordered, deed)
  }
  return walkMessages(ordered)
}

const isLater = (after: PageStart['after']) => (after ? sql`and m.contact_id > ${after.place}` : sql``)
const isCounted = sql`and m.id not in (select message_id from marked)`
/** The message of a row `r`, always by the index of the id. */
const itsMessage = ({ workspaceId }: ReportedCampaign) =>
  sql`(select * from messages where workspace_id = ${workspaceId} and id = r.message_id limit 1)`

/** Along the messages as they were added, looking up what was done. */
async function walkMessages({ campaign, choice, after, limit, find, isCounted }: Ordered): Promise<string[]> {
  const { deed, isMissing, and, states } = choice
  const done = deed && sql`(${lookUpDeed(campaign, deed, sql`m.id`)}) done`
  const joined = !done ? sql`` : isMissing ? sql`left join lateral ${done} on true` : sql`cross join lateral ${done}`
  const walk = (state: string | undefined, isMore: boolean) => sql`
    select m.id ${isMore ? sql`, m.contact_id` : sql``} from messages m ${joined}
    where m.workspace_id = ${campaign.workspaceId} and m.campaign_id = ${campaign.id} ${state ? sql`and m.state = ${sql.lit(state)}` : sql``}
      ${isMissing ? sql`and done.at is null` : sql``} ${and} ${isCounted} ${isLater(after)} order by m.contact_id`
  if (!states || states.length === 1) return find(walk(states?.[0], false), { isSorted: false, limit })
  const parts = states.map((state) => sql`(${walk(state, true)} limit ${limit})`)
  return find(sql`select id from (${sql.join(parts, sql` union all `)}) m order by contact_id`, {
    isSorted: true,
    limit,
  })
}

/** Those who did it, all of them, sorted as they were added. */
const sortDoers = ({ campaign, choice, after, limit, find }: Ordered, deed: Deed): Promise<string[]> =>
  find(
    sql`, few as materialized (${storedDeed(campaign, deed)})
    select m.id from few r cross join lateral ${itsMessage(campaign)} m
    where m.campaign_id = ${campaign.id} ${choice.and} ${isLater(after)} order by m.contact_id`,
    { isSorted: true, limit },
  )

/** What must hold of a row after the cursor of a page in order of `at`. */
const isBefore = (after: PageStart['after'], at: RawBuilder<unknown>) =>
  !after
    ? sql``
    : after.key === NO_TIME
      ? sql`and ${at} is null ${isLater(after)}`
      : sql`and (${at} is null or ${at} < ${toTime(after.key)} or (${at} = ${toTime(after.key)} ${isLater(after)}))`

/** All of some states that have an index, sorted. */
function sortStates(
  { campaign, choice, after, limit, find, isCounted }: Ordered,
  isByTime: boolean,
): Promise<string[]> {
  const { deed, isMissing, and, states = [] } = choice
  const done = sql`lateral (${lookUpDeed(campaign, deed ?? BY_PEOPLE, sql`m.id`)}) done`
  return find(
    sql`select m.id from messages m ${deed && !isMissing ? sql`cross join ${done}` : sql`left join ${done} on true`}
    where m.workspace_id = ${campaign.workspaceId} and m.campaign_id = ${campaign.id} and m.state in (${sql.join(states.map(sql.lit))})
      ${isMissing ? sql`and done.at is null` : sql``} ${and} ${isCounted} ${isByTime ? isBefore(after, sql`done.at`) : isLater(after)}
    order by ${isByTime ? sql`done.at desc nulls last,` : sql``} m.contact_id`,
    { isSorted: true, limit },
  )
}

/**
 * Along the times of what was done, the last one first. Of several activities the first `limit` of each are the first of all: before whom one
 * of them is the last one, there are fewer in its own order.
 */
async function walkTimes({ campaign, choice, after, limit, find, isCounted }: Ordered): Promise<string[]> {
  const parts = partsByTime(campaign, choice.deed ?? BY_PEOPLE)
  const walk = ({ rows, ownTime, at }: (typeof parts)[number]) => sql`
    select m.id, ${at} as at, m.contact_id from ${rows} r cross join lateral ${itsMessage(campaign)} m
    where m.campaign_id = ${campaign.id} ${choice.and} ${isCounted}
      ${after ? sql`and ${ownTime} <= ${toTime(after.key)} ${isBefore(after, at)}` : sql``}
    order by ${ownTime} desc, m.contact_id`
  const [only, ...others] = parts.map(walk)
  if (only && others.length === 0) return find(only, { isSorted: false, limit })
  const all = parts.map((part) => sql`(${walk(part)} limit ${limit})`)
  return find(
    sql`select id from (select distinct id, at, contact_id from (${sql.join(all, sql` union all `)}) part) m order by at desc, contact_id`,
    { isSorted: true, limit },
  )
}

type StateCounts = Awaited<ReturnType<typeof countStates>>

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
