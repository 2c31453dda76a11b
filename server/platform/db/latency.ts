import type pg from 'pg'

const TRIES = 3

/** The middle of three round trips to the database, in seconds: one slow one is chance. */
export async function measureLatency(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const taken: number[] = []
  for (let i = 0; i < TRIES; i++) {
    const started = performance.now()
    await pool.query('select 1')
    taken.push(performance.now() - started)
  }
  return (taken.sort((a, b) => a - b)[1] ?? 0) / 1_000
}
