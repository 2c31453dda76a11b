import type pg from 'pg'
import type { Log } from '../log.ts'

const EVERY_MS = 60_000

interface Worn {
  name: string
  dead: boolean
}

/**
 * Cleans up after changed rows and renews the planner's statistics, by PostgreSQL's own thresholds for autovacuum
 * (50 rows and a fifth; 50 and a tenth). Answers the tables it worked on. One table a statement, so that others get their turn between.
 */
export async function upkeep(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<Worn>(`
    select format('%I.%I', schemaname, relname) as name, n_dead_tup > 50 + 0.2 * n_live_tup as dead
    from pg_stat_user_tables
    where n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup`)
  for (const { name, dead } of rows) await pool.query(dead ? `vacuum (analyze) ${name}` : `analyze ${name}`)
  return rows.map((row) => row.name)
}

// Without a postmaster PostgreSQL writes no checkpoint until it is closed: the log would grow with every row ever written,
// and a start after a kill would have to read all of it.
const MOST_LOG_BYTES = 256 * 1024 * 1024

/** Writes a checkpoint when more than 256 MB of log have come since the last one. Answers whether it did. */
export async function checkpoint(pool: pg.Pool, most = MOST_LOG_BYTES): Promise<boolean> {
  const { rows } = await pool.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  )
  if ((rows[0]?.bytes ?? 0) <= most) return false
  await pool.query('checkpoint')
  return true
}

/** Keeps the embedded database in shape: it has no background processes, so nothing else would. Answers how to stop. */
export function startUpkeep(pool: pg.Pool, log: Pick<Log, 'error'>): () => Promise<void> {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => upkeep(pool))
      .then(() => checkpoint(pool))
      .then(
        () => undefined,
        (error) => log.error({ err: error }, 'the upkeep of the database failed; it is tried again'),
      )
  }, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
