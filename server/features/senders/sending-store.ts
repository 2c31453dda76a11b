/** What sending writes of a sender: whether it rests, and its next free slot. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'

/** Lets a sender rest for so many seconds, once more in trouble. `isFailing`: it failed, and did not only reach a limit. */
export async function restSender(
  db: Db,
  id: string,
  { troubles, seconds, text, isFailing }: { troubles: number; seconds: number; text: string; isFailing: boolean },
): Promise<void> {
  await db
    .updateTable('senders')
    .set({
      troubles,
      restUntil: sql<Date>`now() + make_interval(secs => ${seconds})`,
      ...(isFailing && { state: 'failing' }),
      stateText: text,
      checkedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

/** It takes messages again: what was wrong is over. */
export async function recoverSender(db: Db, id: string): Promise<void> {
  await db
    .updateTable('senders')
    .set({ troubles: 0, restUntil: null, state: 'working', stateText: '' })
    .where('id', '=', id)
    .execute()
}

/** A message of it was accepted: one that was never tried works. */
export async function noteAccepted(db: Db, { id, state }: { id: string; state: string }): Promise<void> {
  if (state !== 'untested') return
  await db
    .updateTable('senders')
    .set({ state: 'working', stateText: '', checkedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'untested')
    .execute()
}

/** Takes the next free slot of a sender, which ends after `pause` milliseconds. Both moments are by the clock of the database, in milliseconds. */
export async function takeSlot(
  db: Db,
  workspaceId: string,
  id: string,
  pause: number,
): Promise<{ now: number; first: number }> {
  const { rows } = await sql<{ now: number; first: number }>`
    with clock as materialized (select extract(epoch from ${timeNow()})::float8 * 1000 as now)
    update senders set pace_at = (select greatest(pace_at, ${timeNow()}) + make_interval(secs => ${pause / 1000}::float8))
    from clock where workspace_id = ${workspaceId} and id = ${id}
    returning clock.now,
      (select extract(epoch from pace_at))::float8 * 1000 - ${pause}::float8 as first`.execute(db)
  return rows[0] ?? { now: 0, first: 0 }
}
