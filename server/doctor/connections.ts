/** The ways to an outside database: through a pooler, past it, and to a read replica. */
import type pg from 'pg'
import { spell } from '#server/features/admin/index.ts'
import type { Config } from '../platform/config.ts'
import { openPool } from '../platform/db/database.ts'
import { MAX_LAG_SECONDS } from '../platform/db/replica.ts'
import { type Check, ok, problem, warning } from './check.ts'

const TIMEOUT_MS = 5_000

/** Asks over a connection of its own; the session is told no setting, because it may be a pooler's. */
async function ask<T>(url: string, look: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
  const pool = openPool({ connectionString: url }, 1, () => undefined, limits)
  try {
    const client = await pool.connect()
    return await look(client).finally(() => client.release())
  } finally {
    void pool.end().catch(() => undefined)
  }
}

const systemId = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
  return rows[0]?.id
}

const describe = (error: unknown) => (error as Error).message || (error as { code?: string }).code || 'no connection'

/** Whether DATABASE_URL leads to a pooler: the process id a connection is told at its start is not that of its backend then. */
async function checkPooler({ databaseUrl = '', databaseDirectUrl }: Config): Promise<Check[]> {
  const name = 'Pooler'
  try {
    const found = await ask(databaseUrl, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      return { isPooled: rows[0]?.pid !== (client as { processID?: number }).processID, id: await systemId(client) }
    })
    if (!found.isPooled && !databaseDirectUrl) return []
    if (!databaseDirectUrl)
      return [
        warning(
          name,
          'DATABASE_URL leads through a pooler, and DATABASE_DIRECT_URL is not set.',
          'Set DATABASE_DIRECT_URL to PostgreSQL itself, unless the pooler gives each connection a session of its own.',
        ),
      ]
    if ((await ask(databaseDirectUrl, systemId)) !== found.id)
      return [problem(name, 'DATABASE_DIRECT_URL leads to another database.', 'Set it to the server of DATABASE_URL.')]
    return [ok(name, 'DATABASE_URL and DATABASE_DIRECT_URL lead to the same server.')]
  } catch (error) {
    return [problem(name, `DATABASE_URL cannot be used: ${describe(error)}.`, 'Check the pooler, and that it runs.')]
  }
}

interface Replay {
  isReplica: boolean
  behind: string
  seconds: number | null
  id: string
}

/** Whether the read replica responds, follows this database, and how far behind it is. */
async function checkReplica({ databaseUrl = '', databaseDirectUrl, databaseReadUrl }: Config): Promise<Check[]> {
  const name = 'Read replica'
  if (!databaseReadUrl) return []
  const advice = 'The primary is read meanwhile. Check DATABASE_READ_URL, the replica, and its replication.'
  try {
    const primary = await ask(databaseDirectUrl ?? databaseUrl, async (client) => {
      const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
      return { lsn: rows[0]?.lsn, id: await systemId(client) }
    })
    const replay = await ask(databaseReadUrl, async (client) => {
      const { rows } = await client.query<Replay>(
        `select pg_is_in_recovery() as "isReplica", greatest(0, $1::pg_lsn - pg_last_wal_replay_lsn())::text as behind,
           extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as seconds,
           (select system_identifier::text from pg_control_system()) as id`,
        [primary.lsn],
      )
      return rows[0]
    })
    if (!replay?.isReplica || replay.id !== primary.id)
      return [warning(name, 'DATABASE_READ_URL leads to no replica of this database, so it is not read.', advice)]
    // The time of its last transaction is old where nothing happens: only with something to replay does it say anything.
    const isLate = Number(replay.behind) > 0 && (replay.seconds ?? 0) > MAX_LAG_SECONDS
    const behind = `${Number(replay.behind).toLocaleString('en')} bytes of the log`
    if (isLate) return [warning(name, `It is ${spell(replay.seconds ?? 0)} and ${behind} behind.`, advice)]
    return [ok(name, Number(replay.behind) === 0 ? 'It has everything.' : `It is ${behind} behind.`)]
  } catch (error) {
    return [warning(name, `It cannot be used: ${describe(error)}.`, advice)]
  }
}

/** Checks of an outside database beside what is in it; none for the embedded one. */
export async function checkConnections(config: Config): Promise<Check[]> {
  if (!config.databaseUrl) return []
  return [...(await checkPooler(config)), ...(await checkReplica(config))]
}
