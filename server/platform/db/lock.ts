import type pg from 'pg'

// Any number: every process that prepares the database asks for the same one.
const LOCK = 7_310_402

/** Does what only one process may do at a time, such as making tables; `client` holds the lock. */
export async function oneAtATime<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await work(client)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined)
    client.release()
  }
}
