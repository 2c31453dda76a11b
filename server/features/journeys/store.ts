import { sql } from 'kysely'
import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import type { JourneyState } from '#contracts/journeys/journeys.ts'
import { isOpen } from '#server/features/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import { formatUtcMoment } from '#server/platform/time/utc-moment.ts'

/** A journey as it is stored. */
export interface JourneyRow {
  id: string
  workspaceId: string
  name: string
  state: JourneyState
  stateText: string
  definition: JourneyDefinition
  /** Contacts who entered, those removed since included. */
  entered: string
  activatedAt: Date | null
  createdAt: Date
  updatedAt: Date
  /** Counts the changes. */
  version: number
}

function selectJourneys(db: Db, workspaceId: string) {
  return db
    .selectFrom('journeys')
    .where('workspaceId', '=', workspaceId)
    .select([
      'id',
      'workspaceId',
      'name',
      'state',
      'stateText',
      'definition',
      'entered',
      'activatedAt',
      'createdAt',
      'updatedAt',
      'version',
    ])
    .$castTo<JourneyRow>()
}

/** A journey; undefined: the workspace has none with this id. */
export const journeyById = (db: Db, workspaceId: string, id: string): Promise<JourneyRow | undefined> =>
  selectJourneys(db, workspaceId).where('id', '=', id).executeTakeFirst()

/**
 * The same, held until the transaction ends: what lets contacts enter, moves them or changes the journey holds it first, and
 * contacts after it. `skips`: undefined where another transaction holds it.
 */
export function holdJourney(db: Db, workspaceId: string, id: string, skips = false): Promise<JourneyRow | undefined> {
  const query = selectJourneys(db, workspaceId).where('id', '=', id).forNoKeyUpdate()
  return (skips ? query.skipLocked() : query).executeTakeFirst()
}

/** Journeys, newest first, before an id; without a state those that are not archived. */
export function journeyPage(
  db: Db,
  workspaceId: string,
  { limit, before, state }: { limit: number; before?: string; state?: JourneyState },
): Promise<JourneyRow[]> {
  let query = selectJourneys(db, workspaceId).orderBy('id', 'desc').limit(limit)
  if (before) query = query.where('id', '<', before)
  query = state ? query.where('state', '=', state) : query.where('state', '<>', 'archived')
  return query.execute()
}

/** Journeys whose name holds a text, newest first, archived ones included. */
export function findJourneys(db: Db, workspaceId: string, text: string, limit: number) {
  return db
    .selectFrom('journeys')
    .where('workspaceId', '=', workspaceId)
    .where(({ fn, eb }) => eb(fn('lower', ['name']), 'like', holding(text)))
    .select(['id', 'name', 'state'])
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<Pick<JourneyRow, 'id' | 'name' | 'state'>>()
    .execute()
}

export async function countJourneys(db: Db, workspaceId: string): Promise<number> {
  const { n } = await db
    .selectFrom('journeys')
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Inserts a draft and returns its id. */
export async function insertJourney(
  db: Db,
  workspaceId: string,
  { name, definition }: { name: string; definition: JourneyDefinition },
): Promise<string> {
  const { id } = await db
    .insertInto('journeys')
    .values({ workspaceId, name, definition: JSON.stringify(definition) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What of a journey is changed. */
export interface JourneyChange {
  name?: string | undefined
  definition?: JourneyDefinition | undefined
  state?: JourneyState | undefined
  stateText?: string | undefined
  /** Whether it is activated at this moment for the first time: from then on its trigger counts. */
  begins?: boolean
}

export async function updateJourney(
  db: Db,
  workspaceId: string,
  id: string,
  { name, definition, state, stateText, begins }: JourneyChange,
): Promise<void> {
  await db
    .updateTable('journeys')
    .set({
      ...(name !== undefined && { name }),
      ...(definition !== undefined && { definition: JSON.stringify(definition) }),
      ...(state !== undefined && { state }),
      ...(stateText !== undefined && { stateText }),
      ...(begins && { activatedAt: sql<Date>`now()`, lookedUntil: sql<Date>`now()` }),
      updatedAt: sql<Date>`now()`,
      version: sql<number>`version + 1`,
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a journey with its steps and people. */
export async function deleteJourney(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('journeys').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** A step that was activated or reached. */
export interface StepRow {
  journeyId: string
  stepId: string
  entered: string
  campaignId: string | null
  contentKey: string
}

export function listSteps(db: Db, workspaceId: string, journeyIds: string[]): Promise<StepRow[]> {
  if (journeyIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('journeySteps')
    .where('workspaceId', '=', workspaceId)
    .where('journeyId', 'in', journeyIds)
    .select(['journeyId', 'stepId', 'entered', 'campaignId', 'contentKey'])
    .execute()
}

/** Notes which campaign sends the email of a step, and what it was frozen with. */
export async function setStepCampaign(
  db: Db,
  workspaceId: string,
  journeyId: string,
  step: { stepId: string; campaignId: string; contentKey: string },
): Promise<void> {
  await db
    .insertInto('journeySteps')
    .values({ workspaceId, journeyId, ...step })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'journeyId', 'stepId'])
        .doUpdateSet({ campaignId: step.campaignId, contentKey: step.contentKey }),
    )
    .execute()
}

/** Counts contacts who got to steps, by the id of the step. */
export async function countEntered(
  db: Db,
  workspaceId: string,
  journeyId: string,
  entered: ReadonlyMap<string, number>,
): Promise<void> {
  if (entered.size === 0) return
  await sql`insert into journey_steps as s (workspace_id, journey_id, step_id, entered)
    select ${workspaceId}::bigint, ${journeyId}::bigint, step_id, entered
    from unnest(${[...entered.keys()]}::text[], ${[...entered.values()]}::bigint[]) given (step_id, entered) order by step_id
    on conflict (workspace_id, journey_id, step_id) do update set entered = s.entered + excluded.entered`.execute(db)
}

const isDue = sql`state = 'active' and next_due <= now() and ${isOpen('journeys.workspace_id')}`
/** Whether somebody goes on in any journey now. */
export const isAnyDue = sql<boolean>`exists (select 1 from journeys where ${isDue})`
/** Whether any journey lets contacts in. */
export const isAnyActive = sql<boolean>`exists (select 1 from journeys where state = 'active')`

/**
 * Active journeys somebody of whom goes on now, of each workspace the one that waits longest: however many others have, each workspace
 * has its turn.
 */
export async function listDue(db: Db, limit: number): Promise<{ workspaceId: string; id: string }[]> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    select workspace_id, id from (
      select workspace_id, id, next_due, row_number() over (partition by workspace_id order by next_due, id) as turn
      from journeys where ${isDue}) due
    where turn = 1 order by next_due limit ${limit}`.execute(db)
  return rows
}

/**
 * Notes when the next contact of a journey goes on, at the earliest in `pauseMs`: others have their turn before. `stateText`: what
 * hinders it; undefined: what was known.
 */
export async function noteNextDue(
  db: Db,
  workspaceId: string,
  id: string,
  { pauseMs = 0, stateText }: { pauseMs?: number; stateText?: string | undefined } = {},
): Promise<void> {
  // By itself: spread tables take no time that is compared in an update.
  const { rows } = await sql<{ at: string }>`
    select greatest(due_at, now() + ${pauseMs}::float8 * interval '1 millisecond')::text as at from journey_people
    where workspace_id = ${workspaceId} and journey_id = ${id} and due_at is not null order by due_at limit 1`.execute(
    db,
  )
  const noted = stateText === undefined ? sql`` : sql`, state_text = ${stateText}`
  await sql`update journeys set next_due = ${rows[0]?.at ?? null}::timestamptz ${noted}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/** The time of the transaction `db` as a text: spread tables take no function for it beside a column. */
export async function readNow(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(db)
  return rows[0]?.now ?? new Date().toISOString()
}

/**
 * After a restore from a backup of `at`: what contacts went through since is not known here, so that nobody goes on unasked. Returns how
 * many journeys were paused.
 */
export async function holdRestoredJourneys(db: Db, at: Date): Promise<number> {
  const time = formatUtcMoment(at)
  const { numUpdatedRows } = await db
    .updateTable('journeys')
    .set({
      state: 'paused',
      stateText: `Paused: restored from a backup of ${time}. Emails sent after that are not known here. If the journey was active after the backup, resuming it may send some emails twice.`,
      updatedAt: sql<Date>`now()`,
      version: sql<number>`version + 1`,
    })
    .where('state', '=', 'active')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
