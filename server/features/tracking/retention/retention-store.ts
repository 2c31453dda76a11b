import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { saveSetting } from '#server/platform/settings.ts'

/** Where a run stands: everything before `cutoff` is merged up to this event, in the order of workspaces and ids. */
export interface RetentionPlace {
  /** The beginning of a month, ISO 8601. */
  cutoff: string
  workspaceId: string
  id: string
  isDone: boolean
}

const KEY = 'events_retention'
/** Events looked at in one transaction. */
const SLICE = 2_000

/** Where the last run came to; undefined: there was none. */
export async function readPlace(db: Db): Promise<RetentionPlace | undefined> {
  const row = await db.selectFrom('settings').where('key', '=', KEY).select('value').executeTakeFirst()
  return row && JSON.parse(row.value)
}

/** Stores where a run came to. */
export const savePlace = (db: Db, place: RetentionPlace): Promise<void> => saveSetting(db, KEY, JSON.stringify(place))

/** The next events after a place: the messages that have some to merge, and the last of them; undefined: there are no more. */
export async function findOldMessages(
  db: Db,
  { cutoff, workspaceId, id }: RetentionPlace,
): Promise<{ workspaceId: string; id: string; messageIds: string[] } | undefined> {
  const { rows } = await sql<{ workspaceId: string; id: string; messageIds: string[] | null }>`
    with slice as materialized (
      select workspace_id, id, message_id, at < ${cutoff}::timestamptz and not merged as old from events
      where (workspace_id, id) > (${workspaceId}::bigint, ${id}::bigint) order by workspace_id, id limit ${SLICE}
    )
    select workspace_id, id, (select array_agg(distinct message_id) from slice s where s.old and s.workspace_id = slice.workspace_id) as message_ids
    from slice where workspace_id = (select workspace_id from slice order by workspace_id, id limit 1) order by id desc limit 1`.execute(
    db,
  )
  const [row] = rows
  return row && { ...row, messageIds: row.messageIds ?? [] }
}

/** Requests and rows before and after a merge. Requests are the same in both, or nothing may be stored. */
export interface Merged {
  before: number
  after: number
  requestsBefore: string
  requestsAfter: string
}

/**
 * Makes one row of the events of each of these messages that are alike and of one day (UTC). It keeps the kind, link, class,
 * reason and program of the reader, and how many requests they were; their network and headers go.
 */
export async function mergeEvents(db: Db, workspaceId: string, messageIds: string[], cutoff: string): Promise<Merged> {
  // Locked in one order: opens counted on these rows at this moment wait, or are waited for.
  const { rows } = await sql<Merged>`
    with old as materialized (
      select id, message_id, kind, link, class, reason, classifier, user_agent, at, times, merged from events
      where workspace_id = ${workspaceId} and message_id = any(${messageIds}::bigint[]) and at < ${cutoff}::timestamptz
      order by id for update
    ), alike as materialized (
      select min(id) as id, min(at) as at, sum(times) as times, array_agg(id) as ids from old
      group by message_id, kind, link, class, reason, user_agent, (at at time zone 'UTC')::date
    ), gone as (
      delete from events e using alike, unnest(alike.ids) as other (id)
      where e.workspace_id = ${workspaceId} and e.id = other.id and other.id <> alike.id
    ), kept as (
      update events e set at = alike.at, times = alike.times, network = '', hints = '{}', merged = true from alike
      where e.workspace_id = ${workspaceId} and e.id = alike.id returning e.times
    )
    select (select count(*)::int from old) as before, (select count(*)::int from kept) as after,
      (select coalesce(sum(times), 0)::text from old) as requests_before, (select coalesce(sum(times), 0)::text from kept) as requests_after`.execute(
    db,
  )
  return rows[0] as Merged
}
