import type pg from 'pg'

/** Runs a statement the database keeps prepared under `name`. Answers its rows as they are. */
export type Run = <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<Row[]>

let names = 0

// A plan made for a small table would be kept while the table grows: the embedded database never analyses, so never plans anew.
const KEEP_MS = 5_000

interface Prepared {
  name: string
  until: number
}

/**
 * Prepared statements, for the few that run thousands of times a minute and cost as much to plan as to execute. The embedded
 * database is one session behind all connections, so a name is never used by two of them.
 */
export function createStatements(pool: pg.Pool): Run {
  const prepared = new WeakMap<pg.PoolClient, Map<string, Prepared>>()

  async function nameOn(client: pg.PoolClient, name: string): Promise<string> {
    const mine = prepared.get(client) ?? new Map<string, Prepared>()
    prepared.set(client, mine)
    const known = mine.get(name)
    if (known && known.until > performance.now()) return known.name
    if (known) await client.query(`deallocate ${known.name}`)
    const fresh = { name: `${name}_${++names}`, until: performance.now() + KEEP_MS }
    mine.set(name, fresh)
    return fresh.name
  }

  return async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => {
    const client = await pool.connect()
    try {
      const { rows } = await client.query<Row>({ name: await nameOn(client, name), text, values })
      client.release()
      return rows
    } catch (error) {
      // A connection that failed is not used again: its statements may be gone.
      client.release(true)
      throw error
    }
  }
}
