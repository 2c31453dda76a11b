import { setTimeout as wait } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { Conditions } from './conditions.ts'
import { startEmbedded } from './embedded/index.ts'
import { Listening } from './listen.ts'
import { markSpread } from './spread.ts'
import type { DB } from './types.ts'
import { openWatchedSocket } from './watched-socket/index.ts'

/** The database or a transaction in it. Inside `db.transaction()` the parameter shadows the outer one on purpose. */
export type Db = Kysely<DB> | Transaction<DB>

/** How a thread or a driver reaches the database. */
export interface Connection {
  connectionString?: string
  host?: string
  /** DATABASE_BACKEND=citus: tables of workspaces are spread over nodes. */
  isSpread?: boolean
}

export interface Database {
  db: Kysely<DB>
  pool: pg.Pool
  /** What is asked again and again, such as whether work is due. */
  conditions: Conditions
  connection: Connection
  /** Without a pooler (PgBouncer) in between: what listens, and the pool of what holds a lock from one statement to the next. */
  direct: { listening: Listening; pool: pg.Pool }
  /** No other process works on it (embedded database): what a start finds unfinished was left behind. */
  alone: boolean
  /** Why it does not run at this moment, as far as we run it ourselves; undefined: nothing is known to be wrong. */
  trouble(): string | undefined
  close(): Promise<void>
}

/** What the driver is given to open a connection. */
export function clientOptions(connection: Connection): pg.ClientConfig {
  const { isSpread: _, ...reached } = connection
  const target = connection.connectionString ? reached : { ...reached, user: 'postgres', database: 'postgres' }
  return { ...target, application_name: 'postlark' }
}

/** A pool of connections. One that breaks, idle or between two statements, is logged and replaced, never a crash. */
export function openPool(
  connection: Connection,
  max: number,
  onError: (error: Error) => void,
  limits: pg.PoolConfig = {},
): pg.Pool {
  if (connection.isSpread) markSpread()
  const watched = { keepAlive: true, stream: () => openWatchedSocket() }
  const pool = new pg.Pool({ ...clientOptions(connection), ...watched, max, ...limits })
  pool.on('error', (error: Error & { client?: unknown }) => {
    // Connections that were told to end and are ended by the database first.
    if (pool.ending) return
    // The whole connection hangs on it, password included.
    delete error.client
    onError(error)
  })
  // The pool listens to idle ones only: one that is taken would throw its error at the whole thread.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export function kyselyOn(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

const EMBEDDED_CONNECTIONS = 8
const SERVER_CONNECTIONS = 12
const CLOSE_MS = 5_000

/** Opens PostgreSQL by DATABASE_URL, or starts the embedded database in the data folder. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> &
    Partial<Pick<Config, 'postgresBin' | 'databaseDirectUrl' | 'databaseBackend'>>,
  log: Log,
): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, dataDir, postgresBin } = config
  if (databaseUrl) {
    const direct = databaseDirectUrl ? { connectionString: databaseDirectUrl } : undefined
    const isSpread = config.databaseBackend === 'citus'
    return openOn({ connectionString: databaseUrl, ...(isSpread && { isSpread }) }, SERVER_CONNECTIONS, log, direct)
  }
  const embedded = await startEmbedded(dataDir, log, { postgresBin })
  const database = openOn({ host: embedded.host }, EMBEDDED_CONNECTIONS, log)
  return {
    ...database,
    alone: true,
    trouble: embedded.trouble,
    async close() {
      // A statement that never ends must not hold up the end: stopping PostgreSQL ends it.
      await Promise.race([database.close(), wait(CLOSE_MS, undefined, { ref: false })])
      await embedded.stop()
    },
  }
}

function openOn(connection: Connection, connections: number, log: Log, direct?: Connection): Database {
  const onError = (error: Error) => log.error({ err: error }, 'a database connection broke')
  const pool = openPool(connection, connections, onError)
  // Used at the start; idle connections are closed after seconds.
  const directPool = direct ? openPool(direct, 1, onError) : pool
  const db = kyselyOn(pool)
  const listening = new Listening(clientOptions(direct ?? connection))
  return {
    db,
    pool,
    conditions: new Conditions(db),
    connection,
    direct: { listening, pool: directPool },
    alone: false,
    trouble: () => undefined,
    async close() {
      await listening.close()
      await db.destroy()
      // Kysely ends the pool only when it was ever asked something.
      if (!pool.ending) await pool.end()
      if (!directPool.ending) await directPool.end()
    },
  }
}
