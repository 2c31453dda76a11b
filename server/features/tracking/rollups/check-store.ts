import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import {
  byMachine,
  DIMENSIONS,
  difference,
  EVENT_GROUPS,
  freshParts,
  type Group,
  isClick,
  MESSAGE_GROUPS,
  partsAndSums,
  sums,
} from './figures.ts'
import { messageDomain, messageOutcome, outcomesIn, wasTried } from './outcomes.ts'
import { addDifference } from './rollups-store.ts'

/** Messages compared in one statement. */
const SLICE = 5_000

/** The next workspace after this one with messages. */
export async function nextWorkspace(db: Db, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select min(workspace_id) as id from messages where workspace_id > ${after}`.execute(db)
  return rows[0]?.id ?? undefined
}

/** Where a slice of messages after this one ends; undefined: there is no further message. */
export async function endOfSlice(db: Db, workspaceId: string, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ last: string | null }>`
    select max(id) as last from (
      select id from messages where workspace_id = ${workspaceId} and id > ${after} order by id limit ${SLICE}) slice`.execute(
    db,
  )
  return rows[0]?.last ?? undefined
}

/**
 * Marks the messages after `after`, up to `last`, whose rollups are not what their events are, so that they are counted anew. Those that are
 * marked already are left to the roller. Returns how many messages that were.
 */
export async function markWrongMessages(db: Db, workspaceId: string, after: string, last: string): Promise<number> {
  const inSlice = sql`workspace_id = ${workspaceId} and message_id > ${after} and message_id <= ${last}`
  const { rows } = await sql<{ wrong: number }>`
    with waiting as materialized (
      select message_id as id from event_changes cross join lateral unnest(message_ids) as of (message_id) where workspace_id = ${workspaceId}
    ), marked as materialized (
      select campaign_id, message_id from (
        select campaign_id, message_id from events where ${inSlice} union select campaign_id, message_id from message_rollups where ${inSlice}
      ) known where message_id not in (select id from waiting)
    ), ${freshParts(workspaceId)}, ${partsAndSums(workspaceId)}, wrong as materialized (
      select distinct campaign_id, message_id from (
        select campaign_id, message_id from parts group by campaign_id, message_id, domain, kind, link, minute, agent having sum(sign * times) <> 0
      ) w
    ), noted as (
      insert into event_changes (workspace_id, campaign_id, message_ids)
      select ${workspaceId}::bigint, campaign_id, array_agg(message_id) from wrong group by campaign_id
    )
    select count(*)::int as wrong from wrong`.execute(db)
  return rows[0]?.wrong ?? 0
}

/** A figure that is not what it is counted from. */
export interface WrongFigure {
  campaignId: string
  dimension: string
  /** What is missing, or too much (below 0). */
  total: number
  messages: number
}

/** Figures that are named one by one. */
const MAX_LISTED = 100

/** The next campaign of a workspace after this one with messages or figures, and how many messages it has. */
export async function nextCampaign(
  db: Db,
  workspaceId: string,
  after: string,
): Promise<{ id: string; messages: number } | undefined> {
  const { rows } = await sql<{ id: string; messages: string }>`
    select id, coalesce(n.queued + n.claimed + n.sent + n.deferred + n.failed + n.bounced + n.suppressed + n.unconfirmed, 0) as messages
    from (
      select min(campaign_id) as id from (
        select min(campaign_id) as campaign_id from campaign_counts where workspace_id = ${workspaceId} and campaign_id > ${after}
        union all
        select min(campaign_id) from event_counts where workspace_id = ${workspaceId} and campaign_id > ${after}
      ) c
    ) next left join campaign_counts n on n.workspace_id = ${workspaceId} and n.campaign_id = next.id where id is not null`.execute(
    db,
  )
  const [next] = rows
  return next && { id: next.id, messages: Number(next.messages) }
}

/** How many slices all messages are, twice: their events are compared, and the figures of their campaigns. */
export async function countSlices(db: Db): Promise<number> {
  const { rows } = await sql<{ messages: string | null }>`
    select sum(queued + claimed + sent + deferred + failed + bounced + suppressed + unconfirmed) as messages from campaign_counts`.execute(
    db,
  )
  return 2 * toSlices(Number(rows[0]?.messages ?? 0))
}

/** How many slices so many messages are. */
export const toSlices = (messages: number): number => Math.ceil(messages / SLICE)

/** What is stored of these groups of figures, to be taken off what is counted. */
const stored = (workspaceId: string, campaignId: string, groups: readonly Group[]) => sql`
  union all
  select campaign_id, dimension, number, name, -total, -messages from event_counts
  where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and dimension = any(${groups.flatMap((group) => [...DIMENSIONS[group]])}::text[])`

const wrongOnes = sql`select campaign_id, dimension, total::float8, messages::float8 from difference
  where total <> 0 or messages <> 0 order by dimension, number limit ${MAX_LISTED}`

/** The figures of a campaign's events that are not the sum of its rollups, at most 100. */
export async function findWrongFigures(db: Db, workspaceId: string, campaignId: string): Promise<WrongFigure[]> {
  const { rows } = await sql<WrongFigure>`
    with parts as materialized (
      select 1 as sign, campaign_id, message_id, domain, p.kind, p.link, p.minute, p.agent, null::text as name, p.times
      from message_rollups r cross join lateral unnest(r.kinds, r.links, r.minutes, r.agents, r.times) as p (kind, link, minute, agent, times)
      where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
    ), ${sums}, ${difference(EVENT_GROUPS, stored(workspaceId, campaignId, EVENT_GROUPS))} ${wrongOnes}`.execute(db)
  return rows
}

/** Forgets what is counted of a campaign's events and marks its messages, 1,000 in a mark. In a transaction that holds the lock. */
export async function countAnew(db: Db, workspaceId: string, campaignId: string): Promise<void> {
  const these = sql`workspace_id = ${workspaceId} and campaign_id = ${campaignId}`
  const dimensions = EVENT_GROUPS.flatMap((group) => [...DIMENSIONS[group]])
  await sql`
    with figures as (
      delete from event_counts where ${these} and dimension = any(${dimensions}::text[])
    ), rollups as (
      delete from message_rollups where ${these}
    ), links as (
      delete from message_links where ${these}
    ) insert into event_changes (workspace_id, campaign_id, message_ids)
    select ${workspaceId}::bigint, ${campaignId}::bigint, array_agg(message_id order by message_id)
    from (select distinct message_id from events where ${these}) e group by message_id / 1000`.execute(db)
}

/**
 * Corrects the figures of what became of a campaign's messages, by adding what they lack. In a transaction that holds the lock: two checks at
 * once would add it twice. Returns those that were wrong, at most 100.
 */
export async function correctOutcomes(db: Db, workspaceId: string, campaignId: string): Promise<WrongFigure[]> {
  const these = sql`workspace_id = ${workspaceId} and campaign_id = ${campaignId}`
  const tried = sql`
    select campaign_id, array[domain] as domains, array[outcome] as outcomes, array[count(*)] as messages from (
      select campaign_id, ${messageDomain(sql.ref('address'))} as domain, ${messageOutcome} as outcome from messages where ${these} and ${wasTried}
    ) m group by campaign_id, domain, outcome
    union all
    select campaign_id, domains, outcomes, array(select -n from unnest(messages) n) from message_changes where ${these}`
  const { rows } = await sql<WrongFigure>`
    with ${outcomesIn(tried)}, ${difference(MESSAGE_GROUPS, stored(workspaceId, campaignId, MESSAGE_GROUPS))}, ${addDifference(workspaceId)}
    ${wrongOnes}`.execute(db)
  return rows
}

/** Common table expressions `extra`: links of a campaign that message_rollups does not have; `missing`: those that message_links lacks. */
const wrongLinks = (workspaceId: string, campaignId: string) => {
  const these = sql`workspace_id = ${workspaceId} and campaign_id = ${campaignId}`
  return sql`
    known as materialized (
      select distinct p.link, ${byMachine}, message_id from message_rollups cross join lateral unnest(kinds, links) as p (kind, link)
      where ${these} and ${isClick}
    ), stored as materialized (
      select link, by_machine, message_id from message_links where ${these}
    ), extra as materialized (
      select * from stored except select * from known
    ), missing as materialized (
      select * from known except select * from stored
    )`
}
const countWrongLinks = sql`(select count(*)::int from extra) + (select count(*)::int from missing)`

/** How many links of a campaign are missing in message_links, or too much. */
export async function findWrongLinks(db: Db, workspaceId: string, campaignId: string): Promise<number> {
  const { rows } = await sql<{ wrong: number }>`
    with ${wrongLinks(workspaceId, campaignId)} select ${countWrongLinks} as wrong`.execute(db)
  return rows[0]?.wrong ?? 0
}

/**
 * Corrects message_links of a campaign: what message_rollups does not have goes, and messages that lack a link are marked. In a transaction
 * that holds the lock.
 */
export async function correctLinks(db: Db, workspaceId: string, campaignId: string): Promise<void> {
  await sql`
    with ${wrongLinks(workspaceId, campaignId)}, gone as (
      delete from message_links l using extra
      where l.workspace_id = ${workspaceId} and l.campaign_id = ${campaignId} and l.link = extra.link and l.by_machine = extra.by_machine
        and l.message_id = extra.message_id
    )
    insert into event_changes (workspace_id, campaign_id, message_ids)
    select ${workspaceId}::bigint, ${campaignId}::bigint, array_agg(distinct message_id) from missing group by message_id / 1000`.execute(
    db,
  )
}
