import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { activityColumns, lastTimes, takenOver } from './activities.ts'
import { marksIn, newClicks, partsOfMarks, renewedParts } from './added.ts'
import { byMachine, difference, EVENT_GROUPS, isClick, MESSAGE_GROUPS } from './figures.ts'
import { messageDomain, outcomesIn } from './outcomes.ts'

/** Messages counted in one transaction; at least one mark, which may name more. */
const BATCH_SIZE = 5_000
/** Marks looked at for a batch: a quiet campaign has one message in each. */
const MAX_MARKS = 250

/** Whether something changed in any workspace since it was counted: by an index, which passes over marks that are gone. */
export const isAnyMarked = sql<boolean>`coalesce(
  (select min(workspace_id) from event_changes), (select min(workspace_id) from message_changes)) is not null`

/** Workspaces after this one in which something changed since it was counted, in order. */
export async function markedWorkspaces(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspace_id as id from event_changes where workspace_id > ${after}
    union select workspace_id from message_changes where workspace_id > ${after} order by 1 limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Takes the lock of who counts a workspace, until the transaction ends. Returns whether it was free. */
export async function lockRollups(db: Db, workspaceId: string, waits: boolean): Promise<boolean> {
  const key = sql`hashtextextended(${`event rollups of ${workspaceId}`}, 0)`
  if (waits) {
    await sql`select pg_advisory_xact_lock(${key})`.execute(db)
    return true
  }
  const { rows } = await sql<{ isMine: boolean }>`select pg_try_advisory_xact_lock(${key}) as is_mine`.execute(db)
  return rows[0]?.isMine === true
}

/** What a batch did: how many messages it counted, and whether more may be marked. */
export interface RolledBatch {
  messages: number
  isFull: boolean
}

interface EmptyFigure {
  campaignId: string
  dimension: string
  number: string
}

/** The common table expression `counted`: adds `difference` to the figures, and returns them. */
export const addDifference = (workspaceId: string) => sql`counted as (
    insert into event_counts as c (workspace_id, campaign_id, dimension, number, name, total, messages)
    select ${workspaceId}::bigint, campaign_id, dimension, number, coalesce(name, ''), total, messages
    from difference where total <> 0 or messages <> 0
    on conflict (workspace_id, campaign_id, dimension, number) do update set
      total = c.total + excluded.total, messages = c.messages + excluded.messages
    returning campaign_id, dimension, number, total, messages
  )`
/** Those that have become 0. */
const emptied = sql`(select json_agg(json_build_object('campaignId', campaign_id::text, 'dimension', dimension, 'number', number::text))
  from counted where total = 0 and messages = 0) as empty`

/** Adds the next changes of outcomes to the figures, in a transaction that holds the lock. Returns whether there may be more. */
export async function foldOutcomes(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ taken: number; empty: EmptyFigure[] | null }>`
    with taken as (
      delete from message_changes where workspace_id = ${workspaceId} and id = any(array(
        select id from message_changes where workspace_id = ${workspaceId} order by id limit ${MAX_MARKS}))
      returning campaign_id, domains, outcomes, messages
    ), ${outcomesIn(sql`select * from taken`)}, ${difference(MESSAGE_GROUPS)}, ${addDifference(workspaceId)}
    select (select count(*)::int from taken) as taken, ${emptied}`.execute(db)
  const { taken = 0, empty = null } = rows[0] ?? {}
  if (empty) await deleteEmpty(db, workspaceId, empty)
  return taken === MAX_MARKS
}

/** The latest click on a link: another one replaces it where that holds of both. */
const storeClicks = (workspaceId: string, clicks: RawBuilder<unknown>, isOther: RawBuilder<unknown>) => sql`
    insert into message_links as l (workspace_id, campaign_id, link, by_machine, message_id, clicked_at)
    select ${workspaceId}::bigint, campaign_id, link, by_machine, message_id, clicked_at from ${clicks}
    on conflict (workspace_id, campaign_id, link, by_machine, message_id) do update set clicked_at = excluded.clicked_at
    where ${isOther}`

/** Common table expressions after partsOfMarks: message_links becomes what `fresh` is of the messages in `marked`, and has what is new of others. */
const linksTakenOver = (workspaceId: string) => sql`
  linked as materialized (
    select campaign_id, link, ${byMachine}, message_id, max(last_at) as clicked_at from fresh where ${isClick} group by 1, 2, 3, 4
  ), ${newClicks()}, links_stored as (
    ${storeClicks(workspaceId, sql`linked`, sql`l.clicked_at <> excluded.clicked_at`)}
  ), links_added as (
    ${storeClicks(workspaceId, sql`clicked`, sql`l.clicked_at < excluded.clicked_at`)}
  ), links_gone as (
    delete from message_links l using (
      select campaign_id, link, ${byMachine}, message_id from parts
      where sign < 0 and ${isClick} and message_id in (select message_id from marked)
      except select campaign_id, link, by_machine, message_id from linked
    ) g where l.workspace_id = ${workspaceId} and l.campaign_id = g.campaign_id and l.link = g.link and l.by_machine = g.by_machine
      and l.message_id = g.message_id
  )`

const domainOfMessage = (workspaceId: string) => sql`(
  select ${messageDomain(sql.ref('address'))} from messages where workspace_id = ${workspaceId} and id = message_id limit 1)`

/**
 * Counts the next marked messages of a workspace, and adds what changed to the figures of their campaigns: new events by themselves, messages
 * whose events changed otherwise anew. In a transaction that holds the lock: one statement sees marks, events and what is stored at one
 * moment, so that an event of a later moment has its mark still.
 */
export async function rollBatch(db: Db, workspaceId: string): Promise<RolledBatch> {
  const { rows } = await sql<{
    messages: number
    waiting: number
    taken: number
    empty: EmptyFigure[] | null
  }>`
    with waiting as (
      select *, sum(cardinality(message_ids)) over (order by id) - cardinality(message_ids) as before
      from (
        select id, campaign_id, message_ids, event_ids from event_changes where workspace_id = ${workspaceId} order by id limit ${MAX_MARKS}
      ) m
    ), ${marksIn(workspaceId, sql`select id, campaign_id, message_ids, event_ids from waiting where before < ${BATCH_SIZE}`)}, ${partsOfMarks(workspaceId)}, ${renewedParts(workspaceId)}, ${difference(EVENT_GROUPS)}, ${addDifference(workspaceId)}, ${linksTakenOver(workspaceId)}, stored as (
      insert into message_rollups as r (workspace_id, message_id, campaign_id, domain, kinds, links, minutes, agents, times, last_event, ${activityColumns})
      select ${workspaceId}::bigint, message_id, campaign_id, coalesce(max(domain), ${domainOfMessage(workspaceId)}, ''),
        array_agg(kind), array_agg(link), array_agg(minute), array_agg(agent), array_agg(times), max(last_event), ${lastTimes}
      from renewed group by message_id, campaign_id
      on conflict (workspace_id, message_id) do update set
        domain = excluded.domain, kinds = excluded.kinds, links = excluded.links, minutes = excluded.minutes,
        agents = excluded.agents, times = excluded.times, last_event = excluded.last_event, ${takenOver}
    ), gone as (
      delete from message_rollups where workspace_id = ${workspaceId}
        and message_id = any(array(select message_id from marked except select message_id from fresh))
    ), taken as (
      delete from event_changes where workspace_id = ${workspaceId} and id = any(array(select id from marks))
    )
    select (select count(distinct message_id)::int from marks cross join lateral unnest(message_ids) as of (message_id)) as messages,
      (select count(*)::int from waiting) as waiting, (select count(*)::int from marks) as taken, ${emptied}`.execute(
    db,
  )
  const { messages = 0, waiting = 0, taken = 0, empty = null } = rows[0] ?? {}
  if (empty) await deleteEmpty(db, workspaceId, empty)
  return { messages, isFull: waiting > taken || taken === MAX_MARKS }
}

/** Deletes figures that have become 0. */
async function deleteEmpty(db: Db, workspaceId: string, empty: EmptyFigure[]): Promise<void> {
  await sql`
    delete from event_counts c using unnest(${empty.map((row) => row.campaignId)}::bigint[], ${empty.map((row) => row.dimension)}::text[],
      ${empty.map((row) => row.number)}::bigint[]) as e (campaign_id, dimension, number)
    where c.workspace_id = ${workspaceId} and c.campaign_id = e.campaign_id and c.dimension = e.dimension and c.number = e.number
      and c.total = 0 and c.messages = 0`.execute(db)
}
