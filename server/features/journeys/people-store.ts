/** The people of journeys. Who writes here holds the journey (`holdJourney`), but for what contacts take with them. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { readNow } from './store.ts'

/** A contact in a journey. */
export interface PersonRow {
  id: string
  contactId: string
  email: string | null
  name: string
  state: 'active' | 'done' | 'goal' | 'exited'
  stepId: string | null
  dueAt: Date | null
  enteredAt: Date
  endedAt: Date | null
}

/** Lets contacts of the workspace enter, each once; returns the ids of those who did not before. Counts them. */
export async function insertPeople(
  db: Db,
  workspaceId: string,
  journeyId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into journey_people (workspace_id, journey_id, contact_id)
    select c.workspace_id, ${journeyId}::bigint, c.id from contacts c
    where c.workspace_id = ${workspaceId} and c.id = any(${contactIds}::bigint[]) order by c.id
    on conflict (workspace_id, journey_id, contact_id) do nothing returning contact_id as id`.execute(db)
  if (rows.length > 0)
    await sql`update journeys set entered = entered + ${rows.length}, next_due = now()
      where workspace_id = ${workspaceId} and id = ${journeyId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Contacts of a journey, newest first, before the id of a person. */
export function peoplePage(
  db: Db,
  workspaceId: string,
  journeyId: string,
  {
    limit,
    before,
    step,
    state,
  }: { limit: number; before?: string | undefined; step?: string | undefined; state?: string | undefined },
): Promise<PersonRow[]> {
  let query = db
    .selectFrom('journeyPeople as p')
    .innerJoin('contacts as c', (join) => join.on('c.workspaceId', '=', workspaceId).onRef('c.id', '=', 'p.contactId'))
    .where('p.workspaceId', '=', workspaceId)
    .where('p.journeyId', '=', journeyId)
    .select(['p.id', 'p.contactId', 'c.email', 'c.name', 'p.state', 'p.stepId', 'p.dueAt', 'p.enteredAt', 'p.endedAt'])
    .orderBy('p.id', 'desc')
    .limit(limit)
  if (before) query = query.where('p.id', '<', before)
  // A step is asked for to see who is there now.
  if (step) query = query.where('p.stepId', '=', step)
  if (step && !state) query = query.where('p.dueAt', 'is not', null)
  if (state) query = query.where('p.state', '=', state)
  return query.$castTo<PersonRow>().execute()
}

/** How many wait at each step of these journeys; `stepId` null: before the first one. */
export async function countWaiting(
  db: Db,
  workspaceId: string,
  journeyIds: string[],
): Promise<{ journeyId: string; stepId: string | null; waiting: number }[]> {
  const { rows } = await sql<{ journeyId: string; stepId: string | null; waiting: number }>`
    select journey_id, step_id, count(*)::int as waiting from journey_people
    where workspace_id = ${workspaceId} and journey_id = any(${journeyIds}::bigint[]) and due_at is not null
    group by journey_id, step_id`.execute(db)
  return rows
}

/** Forgets some people of a deleted journey; returns how many. */
export async function deleteSome(db: Db, workspaceId: string, journeyId: string, limit: number): Promise<number> {
  const result = await sql`delete from journey_people where workspace_id = ${workspaceId} and id = any(array(
    select id from journey_people where workspace_id = ${workspaceId} and journey_id = ${journeyId} limit ${limit}))`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}

/** Lets some leave who are on their way and at none of these steps; `isAll`: those before the first step too. Returns how many. */
export async function exitSome(
  db: Db,
  workspaceId: string,
  journeyId: string,
  { steps, limit, isAll }: { steps: string[]; limit: number; isAll: boolean },
): Promise<number> {
  const isGone = isAll ? sql`true` : sql`step_id is not null and step_id <> all(${steps}::text[])`
  const result = await sql`
    update journey_people set state = 'exited', due_at = null, ended_at = now()
    where workspace_id = ${workspaceId} and due_at is not null and id = any(array(select id from journey_people
      where workspace_id = ${workspaceId} and journey_id = ${journeyId} and due_at is not null and ${isGone} limit ${limit}))`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}

/** A person whose time has come, with where they are. */
export interface DuePerson {
  id: string
  contactId: string
  stepId: string | null
}

/**
 * Holds up to `limit` people of a journey whose time has come, and their contacts. Contacts that another transaction holds are
 * passed over, so that nobody waits in a circle: their turn is the next time. People without a contact any more are forgotten.
 */
export async function holdDue(db: Db, workspaceId: string, journeyId: string, limit: number): Promise<DuePerson[]> {
  const { rows: due } = await sql<DuePerson>`
    select id, contact_id, step_id from journey_people
    where workspace_id = ${workspaceId} and journey_id = ${journeyId} and due_at <= now() order by due_at, id limit ${limit}`.execute(
    db,
  )
  if (due.length === 0) return []
  const contactIds = due.map(({ contactId }) => contactId)
  const { rows: held } = await sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspaceId} and id = any(${contactIds}::bigint[])
    order by id for update skip locked`.execute(db)
  const ids = due.map(({ id }) => id)
  if (held.length < due.length)
    await sql`delete from journey_people p where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])
      and not exists (select 1 from contacts c where c.workspace_id = ${workspaceId} and c.id = p.contact_id)`.execute(
      db,
    )
  // Again: a merge may have moved some before their contacts were held.
  const { rows } = await sql<DuePerson>`
    select id, contact_id, step_id from journey_people
    where workspace_id = ${workspaceId} and id = any(${ids}::bigint[]) and due_at <= now()
      and contact_id = any(${held.map(({ id }) => id)}::bigint[]) order by id`.execute(db)
  return rows
}

/** Where a person is from now on: at a step for so many milliseconds, or at their end. */
export interface Move {
  id: string
  stepId: string | null
  state: PersonRow['state']
  delayMs: number
}

/** Writes where people are from now on. */
export async function movePeople(db: Db, workspaceId: string, moves: Move[]): Promise<void> {
  if (moves.length === 0) return
  const now = new Date(await readNow(db)).getTime()
  const at = (time: number) => new Date(time).toISOString()
  const dueAt = moves.map(({ state, delayMs }) => (state === 'active' ? at(now + delayMs) : null))
  const endedAt = moves.map(({ state }) => (state === 'active' ? null : at(now)))
  await sql`
    update journey_people p set step_id = given.step_id, state = given.state, due_at = given.due_at, ended_at = given.ended_at
    from unnest(${moves.map(({ id }) => id)}::bigint[], ${moves.map(({ stepId }) => stepId)}::text[],
      ${moves.map(({ state }) => state)}::text[], ${dueAt}::timestamptz[], ${endedAt}::timestamptz[])
      given (id, step_id, state, due_at, ended_at)
    where p.workspace_id = ${workspaceId} and p.id = given.id`.execute(db)
}

/** Whether a contact is in a journey, or was. */
export async function hasEntered(db: Db, workspaceId: string, journeyId: string, contactId: string): Promise<boolean> {
  const row = await db
    .selectFrom('journeyPeople')
    .where('workspaceId', '=', workspaceId)
    .where('journeyId', '=', journeyId)
    .where('contactId', '=', contactId)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}
