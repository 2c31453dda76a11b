import type pg from 'pg'

/** Runs a statement the database keeps prepared under `name`. Answers its rows as they are. */
export type Run = <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<Row[]>

let clients = 0

/**
 * Prepared statements, for the few that run thousands of times a minute and cost as much to plan as to execute. The embedded
 * database is one session behind all connections, so a name is never used by two of them.
 */
export function createStatements(pool: pg.Pool): Run {
  const numbers = new WeakMap<pg.PoolClient, number>()
  return async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => {
    const client = await pool.connect()
    try {
      const number = numbers.get(client) ?? ++clients
      numbers.set(client, number)
      const { rows } = await client.query<Row>({ name: `${name}_${number}`, text, values })
      client.release()
      return rows
    } catch (error) {
      // A connection that failed is not used again: its statements may be gone.
      client.release(true)
      throw error
    }
  }
}
