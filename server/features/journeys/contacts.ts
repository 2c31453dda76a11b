/** What becomes of people in journeys when their contact is removed, put back, merged or parted again. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { readNow } from './store.ts'

/** What of a row is written as it was. */
const ROW = sql`id, workspace_id, journey_id, contact_id, state, step_id, due_at, entered_at, ended_at`

/**
 * Rows as JSON texts by their contact. They are what removals and merges remember, so that an undo finds everybody where they were.
 */
export async function readRows(db: Db, workspaceId: string, contactIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; found: string }>`
    select contact_id as id, jsonb_agg(to_jsonb(p))::text as found from journey_people p
    where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::bigint[]) group by contact_id`.execute(db)
  return new Map(rows.map(({ id, found }) => [id, found]))
}

/** Writes rows of JSON texts again. Of a deleted journey nothing is put back, and who was on the way through an archived one has left it. */
export async function writeRows(db: Db, workspaceId: string, texts: string[]): Promise<void> {
  if (texts.length === 0) return
  const given = sql`unnest(${texts}::text[]) as given (rows)
    cross join lateral jsonb_populate_recordset(null::journey_people, given.rows::jsonb) r`
  const now = await readNow(db)
  // The runner and an activation hold them too; in the order of their ids, so that two undos never wait in a circle.
  await sql`select id from journeys where workspace_id = ${workspaceId} and id in (select r.journey_id from ${given})
    order by id for no key update`.execute(db)
  await sql`
    insert into journey_people (${ROW}) overriding system value
    select r.id, r.workspace_id, r.journey_id, r.contact_id,
      case when j.state = 'archived' and r.state = 'active' then 'exited' else r.state end, r.step_id,
      case when j.state = 'archived' then null else r.due_at end, r.entered_at,
      case when j.state = 'archived' then coalesce(r.ended_at, ${now}::timestamptz) else r.ended_at end
    from ${given} join journeys j on j.workspace_id = ${workspaceId} and j.id = r.journey_id
    where r.workspace_id = ${workspaceId} order by r.id on conflict do nothing`.execute(db)
  await sql`update journeys set next_due = ${now}::timestamptz
    where workspace_id = ${workspaceId} and id in (select r.journey_id from ${given})`.execute(db)
}

/** Takes removed contacts out of journeys. Their journeys are not held: what moves them holds their contacts. */
export async function deletePeople(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await sql`delete from journey_people where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::bigint[])`.execute(
    db,
  )
}

/**
 * Gives a contact the journeys of another one. Of a journey that both are in, the contact's own place stays: the person behind both goes
 * through it once.
 */
export async function givePeople(
  db: Db,
  workspaceId: string,
  from: string,
  to: string,
): Promise<Record<string, string[]>> {
  const isInBoth = sql`journey_id in (select journey_id from journey_people where workspace_id = ${workspaceId} and contact_id = ${to})`
  const { rows: dropped } = await sql<{ row: string }>`
    with gone as (delete from journey_people where workspace_id = ${workspaceId} and contact_id = ${from} and ${isInBoth} returning *)
    select jsonb_build_array(to_jsonb(gone))::text as row from gone`.execute(db)
  const { rows: moved } = await sql<{ id: string }>`
    update journey_people set contact_id = ${to} where workspace_id = ${workspaceId} and contact_id = ${from} returning id`.execute(
    db,
  )
  return { journeyPeople: moved.map(({ id }) => id), journeyPeopleDropped: dropped.map(({ row }) => row) }
}

/** Gives back what a merge gave, from where they are by now. */
export async function givePeopleBack(
  db: Db,
  workspaceId: string,
  { journeyPeople = [], journeyPeopleDropped = [] }: Record<string, string[]>,
  to: string,
): Promise<void> {
  await sql`update journey_people set contact_id = ${to} where workspace_id = ${workspaceId} and id = any(${journeyPeople}::bigint[])`.execute(
    db,
  )
  await writeRows(db, workspaceId, journeyPeopleDropped)
}
