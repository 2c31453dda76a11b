/** What lets a launch be many short transactions: one attempt at a time, and each transaction sees whether it may go on. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** One attempt to launch a campaign. `startedAt` is its own: an attempt that a later one took over from stops. */
export interface Attempt {
  workspaceId: string
  id: string
  startedAt: string
}

/**
 * What an attempt finds its campaign to be: its own to go on with, `ended` before it had its recipients (canceled, failed or
 * removed), or none of its business: launched, a draft again, or another attempt's.
 */
type Standing = 'own' | 'ended' | 'other'

// In microseconds, as it is stored: a Date has milliseconds.
const startedAtColumn = sql`(extract(epoch from started_at) * 1000000)::bigint::text`

const lockKey = (id: ReturnType<typeof sql>) => sql`hashtextextended('launch of campaign ' || ${id}::text, 0)`

/** Begins an attempt: an earlier one goes no further. undefined: the campaign is not to be launched. */
export async function beginAttempt(db: Db, workspaceId: string, id: string): Promise<Attempt | undefined> {
  const { rows } = await sql<{ startedAt: string }>`
    update campaigns set started_at = statement_timestamp()
    where workspace_id = ${workspaceId} and id = ${id} and state in ('sending', 'paused') and audience_at is null and deleted_at is null
    returning (select ${startedAtColumn}) as started_at`.execute(db)
  return rows[0] && { workspaceId, id, startedAt: rows[0].startedAt }
}

async function readStanding(db: Db, { workspaceId, id, startedAt }: Attempt): Promise<Standing> {
  const { rows } = await sql<{ standing: Standing }>`
    select case when audience_at is not null then 'other'
      when deleted_at is not null or state in ('cancelled', 'failed') then 'ended'
      when state in ('sending', 'paused') and ${startedAtColumn} = ${startedAt} then 'own'
      else 'other' end as standing
    from campaigns where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  return rows[0]?.standing ?? 'other'
}

/**
 * Runs a short transaction of an attempt if its campaign has one of these standings; else it returns undefined. The lock is no
 * lock of the campaign's row: a pause or a cancellation waits for nothing. `isBeside`: others that are beside, too, may run at once.
 */
export async function inTurn<T>(
  db: Db,
  attempt: Attempt,
  standings: Standing[],
  work: (db: Db) => Promise<T>,
  { isBeside = false } = {},
): Promise<T | undefined> {
  return db.transaction().execute(async (db) => {
    const key = lockKey(sql`${attempt.id}`)
    await (isBeside
      ? sql`select pg_advisory_xact_lock_shared(${key})`
      : sql`select pg_advisory_xact_lock(${key})`
    ).execute(db)
    if (!standings.includes(await readStanding(db, attempt))) return undefined
    return work(db)
  })
}

/** Waits for the transactions of launches that are under way in a workspace. None begins before the transaction `db` ends. */
export async function holdLaunches(db: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(sql`launching.id`)}) from (
    select id from campaigns where workspace_id = ${workspaceId} and state in ('sending', 'paused') and audience_at is null order by id
  ) launching`.execute(db)
}
