/** Statements that find recipients along an index, or look some of them up and sort them. */
import { type RawBuilder, sql } from 'kysely'
import type { RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import {
  BY_PEOPLE,
  type Deed,
  lookUpDeed,
  partsByTime,
  storedAmong,
  storedDeed,
} from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { ReportedCampaign } from './recipients.ts'

export interface PageStart {
  sort: RecipientOrder
  after?: { sort: RecipientOrder; key: string; place: string } | undefined
  limit: number
  /** How many the filter finds, where figures said so. */
  known?: number | undefined
}

/** What an index finds in order. */
export interface IndexedChoice {
  /** Those who did it, or did not (`isMissing`); undefined: everybody. */
  deed?: Deed | undefined
  isMissing: boolean
  /** What must hold of the message `m`. */
  and: RawBuilder<unknown>
  /** Nothing must hold of it. */
  isAny: boolean
  /** The states of the messages that are meant, where each is one of those that have an index. */
  states?: readonly string[] | undefined
  /** Of these states, those whose messages are all meant: `and` holds of each. */
  whole?: readonly string[] | undefined
  /** A text in the address or name. */
  q?: string | undefined
}

/** In the cursor of a page in order of activity: nothing was done. */
export const NO_TIME = '0'.repeat(20)

/** The time in the cursor of a page in order of activity. Throws Refusal 400. */
function toTime(key: string) {
  if (!/^00\d{18}$/.test(key)) throw invalid('cursor', 'is not a cursor of this list')
  return sql`('epoch'::timestamptz + ${key}::bigint * interval '1 microsecond')`
}

export type Find = (sources: RawBuilder<unknown>, options: { isSorted: boolean; limit: number }) => Promise<string[]>

/** A page that is looked for. */
export interface Ordered {
  db: Db
  campaign: ReportedCampaign
  choice: IndexedChoice
  after: PageStart['after']
  limit: number
  known?: number | undefined
  find: Find
  /** That the message `m` is counted as it is. */
  isCounted: RawBuilder<unknown>
}

export const isLater = (after: PageStart['after']) => (after ? sql`and m.contact_id > ${after.place}` : sql``)
export const isCounted = sql`and m.id not in (select message_id from marked)`
/** The message of a row `r`, always by the index of the id. */
export const itsMessage = ({ workspaceId }: ReportedCampaign) =>
  sql`(select * from messages where workspace_id = ${workspaceId} and id = r.message_id limit 1)`

/** What joins what was done to the message `m`, looked up, and what must hold of it. */
export function joinDone(campaign: ReportedCampaign, { deed, isMissing }: IndexedChoice) {
  const done = deed && sql`(${lookUpDeed(campaign, deed, sql`m.id`)}) done`
  const join = !done ? sql`` : isMissing ? sql`left join lateral ${done} on true` : sql`cross join lateral ${done}`
  return { join, and: isMissing ? sql`and done.at is null` : sql`` }
}

/** Along the messages as they were added, looking up what was done. */
export async function walkMessages({ campaign, choice, after, limit, find, isCounted }: Ordered): Promise<string[]> {
  const { and, states } = choice
  const done = joinDone(campaign, choice)
  const walk = (state: string | undefined) => sql`
    select m.id, m.contact_id from messages m ${done.join}
    where m.workspace_id = ${campaign.workspaceId} and m.campaign_id = ${campaign.id} ${state ? sql`and m.trouble = ${sql.lit(state)}` : sql``}
      ${done.and} ${and} ${isCounted} ${isLater(after)} order by m.contact_id`
  if (!states || states.length === 1) return find(walk(states?.[0]), { isSorted: false, limit })
  const parts = states.map((state) => sql`(${walk(state)} limit ${limit})`)
  return find(sql`select id from (${sql.join(parts, sql` union all `)}) m order by contact_id`, {
    isSorted: true,
    limit,
  })
}

/** Those who did it, all of them, sorted as they were added. */
export const sortDoers = ({ campaign, choice, after, limit, find }: Ordered, deed: Deed): Promise<string[]> =>
  find(
    sql`, few as materialized (${storedDeed(campaign, deed)})
    select m.id from few r cross join lateral ${itsMessage(campaign)} m
    where m.campaign_id = ${campaign.id} ${choice.and} ${isLater(after)} order by m.contact_id`,
    { isSorted: true, limit },
  )

/** What must hold of a row after the cursor of a page in order of `at`. */
export const isBefore = (after: PageStart['after'], at: RawBuilder<unknown>) =>
  !after
    ? sql``
    : after.key === NO_TIME
      ? sql`and ${at} is null ${isLater(after)}`
      : sql`and (${at} is null or ${at} < ${toTime(after.key)} or (${at} = ${toTime(after.key)} ${isLater(after)}))`

/** The same without a look at who of several at one time comes first: some rows before the cursor have it too. */
export const isNotAfter = (after: PageStart['after'], at: RawBuilder<unknown>) =>
  !after
    ? sql``
    : after.key === NO_TIME
      ? sql`and ${at} is null`
      : sql`and (${at} is null or ${at} <= ${toTime(after.key)})`

/** All messages `m` of a source of which something holds, sorted. */
export function sortAll(
  { campaign, choice, after, limit, find, isCounted }: Ordered,
  source: RawBuilder<unknown>,
  isOne: RawBuilder<unknown>,
  isByTime: boolean,
): Promise<string[]> {
  const { join, and } = joinDone(campaign, choice)
  const times = sql`left join lateral (${lookUpDeed(campaign, BY_PEOPLE, sql`m.id`)}) done on true`
  return find(
    sql`select m.id from ${source} ${choice.deed ? join : times}
    where m.workspace_id = ${campaign.workspaceId} and ${isOne} ${and} ${choice.and} ${isCounted}
      ${isByTime ? isBefore(after, sql`done.at`) : isLater(after)}
    order by ${isByTime ? sql`done.at desc nulls last,` : sql``} m.contact_id`,
    { isSorted: true, limit },
  )
}

/** All messages in some states that have an index, of those who did what is asked for, sorted: both are read from indexes alone. */
export function sortStates(
  { campaign, choice, after, limit, find, isCounted }: Ordered,
  states: readonly string[],
  isByTime: boolean,
): Promise<string[]> {
  const { workspaceId, id } = campaign
  const parts = states.map(
    (state) => sql`select id, contact_id from messages m where workspace_id = ${workspaceId} and campaign_id = ${id}
      and trouble = ${sql.lit(state)} ${choice.whole?.includes(state) ? sql`` : choice.and} ${isCounted}`,
  )
  const done = storedAmong(campaign, choice.deed ?? BY_PEOPLE, sql`select id from troubled`)
  return find(
    sql`, troubled as materialized (${sql.join(parts, sql` union all `)}), m as (
      select id, max(contact_id) as contact_id, max(at) as at from (
        select id, contact_id, null::timestamptz as at from troubled union all select message_id, null, at from (${done}) done
      ) both_parts group by id
    )
    select id from m where ${choice.deed ? sql`at is not null` : sql`true`} ${isByTime ? isBefore(after, sql`at`) : isLater(after)}
    order by ${isByTime ? sql`at desc nulls last,` : sql``} contact_id`,
    { isSorted: true, limit },
  )
}

/**
 * Along the times of what was done, the last one first. Of several activities the first `limit` of each are the first of all: before whom one
 * of them is the last one, there are fewer in its own order.
 */
export async function walkTimes({ campaign, choice, after, limit, find, isCounted }: Ordered): Promise<string[]> {
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
