/** A number while campaigns are sent through it: its row, its pace, and whether it rests. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'

/** A WhatsApp number as a campaign needs it. */
export type NumberRow = NonNullable<Awaited<ReturnType<typeof numberById>>>

export function numberById(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('whatsappNumbers')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select([
      'id',
      'workspaceId',
      'phoneNumberId',
      'businessAccountId',
      'portfolioId',
      'displayPhone',
      'verifiedName',
      'tokenEncrypted',
      'appSecretEncrypted',
      'dailyLimit',
      'perSecond',
      'state',
      'stateText',
      'restUntil',
      'troubles',
    ])
    .executeTakeFirst()
}

/**
 * Takes `count` slots of `step` milliseconds at a phone number's pace, halved each time Meta said it was too fast. The
 * slots come from its oldest row, whichever workspaces it is connected in. Moments are milliseconds by the database.
 */
export async function takeSlots(
  db: Db,
  phoneNumberId: string,
  step: number,
  count: number,
): Promise<{ now: number; last: number; step: number }> {
  const { rows: oldest } = await sql<{ workspaceId: string; id: string; step: number }>`
    select workspace_id, id, ${step}::float8 * 2 ^ greatest(0, least(slowed, 6) - coalesce(floor(extract(epoch from now() - slowed_at) / 60), 0)) as step
    from whatsapp_numbers where phone_number_id = ${phoneNumberId} order by id limit 1`.execute(db)
  const [paced] = oldest
  if (!paced) return { now: 0, last: 0, step }
  const { rows } = await sql<{ now: number; last: number }>`
    with clock as materialized (select extract(epoch from ${timeNow()})::float8 * 1000 as now)
    update whatsapp_numbers set pace_at = (select greatest(pace_at, ${timeNow()}) + make_interval(secs => ${(paced.step * count) / 1000}::float8))
    from clock where workspace_id = ${paced.workspaceId} and id = ${paced.id}
    returning clock.now, (select extract(epoch from pace_at))::float8 * 1000 as last`.execute(db)
  // The row was removed meanwhile: another workspace may have the number.
  return rows[0] ? { ...rows[0], step: paced.step } : takeSlots(db, phoneNumberId, step, count)
}

/** Lets a number rest for so many seconds. `failure`: why; undefined where it was only too fast, which slows it down. */
export async function writeRest(
  db: Db,
  { workspaceId, id }: Pick<NumberRow, 'workspaceId' | 'id'>,
  seconds: number,
  failure: string | undefined,
): Promise<void> {
  await sql`update whatsapp_numbers set troubles = troubles + 1, rest_until = now() + make_interval(secs => ${seconds}::float8)
    ${failure === undefined ? sql`, slowed = (select case when slowed_at > now() - interval '1 minute' * slowed then least(6, slowed + 1) else 1 end), slowed_at = now()` : sql`, state = 'failing', state_text = ${failure}`}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/** Lets a number rest for hours at least, which nobody's Resume shortens. */
export async function restForHours(db: Db, workspaceId: string, id: string, hours: number): Promise<void> {
  await sql`update whatsapp_numbers set rest_until = greatest(rest_until, now() + make_interval(hours => ${hours}::int))
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/** Its templates are to be read from Meta anew. */
export async function markTemplatesStale(db: Db, id: string): Promise<void> {
  await sql`update whatsapp_numbers set templates_stale = true where id = ${id}`.execute(db)
}

/** It took messages again: what was wrong with the number is over. */
export async function recoverNumber(db: Db, { id }: Pick<NumberRow, 'id'>): Promise<void> {
  await db
    .updateTable('whatsappNumbers')
    .set({ troubles: 0, restUntil: null, state: 'working', stateText: '' })
    .where('id', '=', id)
    .execute()
}
