/** Whom the triggers of active journeys are about. */
import { type RawBuilder, sql } from 'kysely'
import type { JourneyTrigger } from '#contracts/journeys/definition.ts'
import { isOpen } from '#server/features/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A transaction that is open for longer is not waited for. */
const MAX_TRANSACTION_TIME = '1 hour'
/** What may lie between the time of a transaction and its entry in the list of those that are open, and between clocks of a cluster. */
const MARGIN = '1 minute'

/** Times of the database as texts, because dates of JavaScript have no microseconds. */
export interface LookTimes {
  now: string
  /** The time up to which everything that is stored can be seen by now, less a margin. */
  settled: string
}

/** The times of a look. Rows carry the time their transaction began, and come into sight when it ends: the oldest that is open counts. */
export async function readTimes(db: Db, margin = MARGIN): Promise<LookTimes> {
  const { rows } = await sql<LookTimes>`
    select now()::text as now,
      (greatest(least(now(), min(xact_start)), now() - ${MAX_TRANSACTION_TIME}::interval) - ${margin}::interval)::text as settled
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(
    db,
  )
  if (!rows[0]) throw new Error('the database told no time')
  return rows[0]
}

/** A journey whose trigger has something new, or whose segment is looked up again. */
export interface DueLook {
  workspaceId: string
  id: string
}

/**
 * Active journeys for which somebody may have come since they were looked at, without those of `others`: of each workspace first the one
 * that waits longest, so that no workspace has the others wait by the number of its journeys. One statement for all.
 */
export async function listDueLooks(
  db: Db,
  segmentMs: number,
  limit: number,
  others: readonly string[] = [],
): Promise<DueLook[]> {
  const named = (key: string) => sql`(j.definition #>> array['trigger', ${key}])`
  const { rows } = await sql<DueLook>`
    select j.workspace_id, j.id from journeys j
    where j.state = 'active' and j.id <> all(${others}::bigint[]) and ${isOpen('j.workspace_id')} and case ${named('kind')}
      when 'joined_list' then exists (select 1 from list_members m where m.workspace_id = j.workspace_id
        and m.list_id = ${named('listId')}::bigint and m.status = 'confirmed' and m.at >= greatest(j.looked_until, j.activated_at))
      when 'tagged' then exists (select 1 from contact_tags m where m.workspace_id = j.workspace_id
        and m.tag_id = ${named('tagId')}::bigint and m.at >= greatest(j.looked_until, j.activated_at))
      when 'event' then exists (select 1 from contact_events m where m.workspace_id = j.workspace_id
        and m.name = ${named('name')} and m.recorded_at >= greatest(j.looked_until, j.activated_at))
      when 'segment' then j.looked_until <= j.activated_at or j.looked_until <= now() - ${segmentMs}::float8 * interval '1 millisecond'
      else false end
    order by row_number() over (partition by j.workspace_id order by j.looked_until), j.looked_until limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Since when a journey looks: what was before its activation does not count. */
export async function findSince(db: Db, { workspaceId, id }: DueLook): Promise<{ since: string; activated: string }> {
  const { rows } = await sql<{ since: string; activated: string }>`
    select greatest(looked_until, activated_at)::text as since, activated_at::text as activated from journeys
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  return rows[0] ?? { since: 'infinity', activated: 'infinity' }
}

/** Somebody of whom what a trigger waits for is true, and their place in the order of time. */
export interface Candidate {
  contactId: string
  at: string
  key: string
}

/** A statement of `contact_id`, `at` and `key` of what a trigger waits for, since a moment; undefined: it is found in another way. */
export function findOccurrences(
  workspaceId: string,
  trigger: JourneyTrigger,
  { since, activated }: { since: string; activated: string },
): RawBuilder<unknown> | undefined {
  switch (trigger.kind) {
    case 'joined_list':
      return sql`select contact_id, at, contact_id as key from list_members where workspace_id = ${workspaceId}
        and list_id = ${trigger.listId}::bigint and status = 'confirmed' and at >= ${since}::timestamptz`
    case 'tagged':
      return sql`select contact_id, at, contact_id as key from contact_tags where workspace_id = ${workspaceId}
        and tag_id = ${trigger.tagId}::bigint and at >= ${since}::timestamptz`
    case 'event':
      // What is told of a time before does not count either.
      return sql`select contact_id, recorded_at as at, id as key from contact_events where workspace_id = ${workspaceId}
        and name = ${trigger.name} and recorded_at >= ${since}::timestamptz and at >= ${activated}::timestamptz`
    default:
      return undefined
  }
}

const hasEntered = (
  workspaceId: string,
  journeyId: string,
  contact: string,
) => sql`exists (select 1 from journey_people p
  where p.workspace_id = ${workspaceId} and p.journey_id = ${journeyId} and p.contact_id = ${sql.ref(contact)})`

/** The next of those who did not enter yet, in the order of time. */
export async function nextOccurrences(
  db: Db,
  { workspaceId, id }: DueLook,
  occurrences: RawBuilder<unknown>,
  after: Candidate | undefined,
  limit: number,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select o.contact_id, o.at::text as at, o.key from (${occurrences}) o
    where ${after ? sql`(o.at, o.key) > (${after.at}::timestamptz, ${after.key}::bigint)` : sql`true`}
      and not ${hasEntered(workspaceId, id, 'o.contact_id')}
    order by o.at, o.key limit ${limit}`.execute(db)
  return rows
}

/** The next contacts for whom a condition over `c` is true and who did not enter yet, in the order of their ids. */
export async function nextMatching(
  db: Db,
  { workspaceId, id }: DueLook,
  condition: RawBuilder<boolean>,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from contacts c where c.workspace_id = ${workspaceId} and c.id > ${after} and (${condition})
      and not ${hasEntered(workspaceId, id, 'c.id')} order by c.id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Notes that a journey was looked at up to a time. One that was activated again meanwhile looks from then on. */
export async function noteLook(db: Db, { workspaceId, id }: DueLook, until: string): Promise<void> {
  await sql`update journeys set looked_until = greatest(looked_until, ${until}::timestamptz)
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/** Notes what hinders a journey; empty: nothing. */
export async function noteHindrance(db: Db, { workspaceId, id }: DueLook, stateText: string): Promise<void> {
  await sql`update journeys set state_text = ${stateText} where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )
}
