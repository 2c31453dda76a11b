import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { startEmbedded } from './embedded.ts'
import type { DB } from './types.ts'

/** The database or a transaction in it. Inside `db.transaction()` the parameter shadows the outer one on purpose. */
export type Db = Kysely<DB> | Transaction<DB>

/** How a thread or a driver reaches the database. */
export interface Connection {
  connectionString?: string
  host?: string
}

export interface Database {
  db: Kysely<DB>
  pool: pg.Pool
  connection: Connection
  close(): Promise<void>
}

/** A pool of connections; an idle connection that breaks is logged and replaced, never a crash. */
export function openPool(connection: Connection, max: number, onError: (error: Error) => void): pg.Pool {
  const target = connection.connectionString ? connection : { ...connection, user: 'postgres', database: 'postgres' }
  const pool = new pg.Pool({ ...target, max, application_name: 'postlark' })
  pool.on('error', onError)
  return pool
}

export function kyselyOn(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** Opens PostgreSQL by DATABASE_URL, or starts the embedded database in the data folder. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Pick<Log, 'error'>,
): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await startEmbedded(config.dataDir)
  const connection: Connection = embedded ? { host: embedded.host } : { connectionString: config.databaseUrl as string }
  const pool = openPool(connection, embedded ? 8 : 12, (error) =>
    log.error({ err: error }, 'an idle database connection broke'),
  )
  const db = kyselyOn(pool)
  return {
    db,
    pool,
    connection,
    async close() {
      await db.destroy()
      // Kysely ends the pool only when it was ever asked something.
      if (!pool.ending) await pool.end()
      await embedded?.stop()
    },
  }
}
