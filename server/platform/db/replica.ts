/** A read replica: heavy reads go to it while it is there, close behind the primary, and newer than what the reader wrote. */
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { type Connection, kyselyOn, openPool } from './database.ts'
import { isOutage } from './outage.ts'
import type { DB } from './types.ts'

/** A replica that is further behind is not read. Seconds. */
export const MAX_LAG_SECONDS = 5
const LOOK_INTERVAL_MS = 1_000
const LOOK_TIMEOUT_MS = 2_000
const READ_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 2_000
const CONNECTIONS = 6
/** Positions of the primary that are waited for: as many looks as a replica may be behind, and some more. */
const MAX_WAITING = 60

/** Who reads: when they last wrote, by the primary's clock. */
export interface Reader {
  wroteAt?: Date | null | undefined
}

/** Where heavy reads go. */
export interface Reads {
  /** Whether there is a replica, so that writes have to be noted. */
  hasReplica: boolean
  /** Reads from the replica, and from the primary where it is behind, away or has no row of the reader's last write. */
  run<T>(reader: Reader, read: (db: Kysely<DB>) => Promise<T>): Promise<T>
  /** The database for a read of many statements, such as an export: chosen once. */
  pick(reader: Reader): Kysely<DB>
  stop(): Promise<void>
}

interface Position {
  systemId: string
  lsn: string | null
}

// The time first: whatever was committed before it is before the position. What is not flushed yet is of no commit, and not sent to replicas.
const PRIMARY = `select clock_timestamp() as at, system_identifier::text as "systemId",
  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as lsn from pg_control_system()`
const REPLICA = `select system_identifier::text as "systemId",
  case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text end as lsn from pg_control_system()`

/** Why a read of a replica fails that the primary would do: it is away, has to give way to replay, or is asked to write. */
const isReplicaTrouble = (error: unknown) =>
  isOutage(error) ||
  ['40001', '40P01', '25006'].includes((error as { code?: string }).code ?? '') ||
  /^(Query read timeout|timeout exceeded when trying to connect)/.test((error as Error).message)

/** Reads of an installation without a replica. */
export const readsOn = (db: Kysely<DB>): Reads => ({
  hasReplica: false,
  run: (_, read) => read(db),
  pick: () => db,
  stop: async () => undefined,
})

class Replica implements Reads {
  readonly hasReplica = true
  readonly #primary: { db: Kysely<DB>; pool: pg.Pool }
  readonly #pool: pg.Pool
  readonly #db: Kysely<DB>
  readonly #log: Pick<Log, 'info' | 'warn'>
  /** Where the primary was, oldest first, which the replica has not reached yet. */
  #waiting: { at: Date; lsn: bigint; monotonic: number }[] = []
  /** The replica has all that was committed until `at`, by the primary's clock; `monotonic` is the same moment by ours. */
  #fresh: { at: Date; monotonic: number } | undefined
  #state = ''
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(primary: { db: Kysely<DB>; pool: pg.Pool }, connection: Connection, log: Pick<Log, 'info' | 'warn'>) {
    this.#primary = primary
    this.#log = log
    const limits = { query_timeout: READ_TIMEOUT_MS, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }
    this.#pool = openPool(connection, CONNECTIONS, () => undefined, limits)
    this.#db = kyselyOn(this.#pool)
  }

  /** Looks once, and from then on every second. */
  start(): Promise<void> {
    this.#looking = this.#look().then(() => {
      if (this.#pool.ending) return
      this.#timer = setTimeout(() => void this.start(), LOOK_INTERVAL_MS)
      this.#timer.unref()
    })
    return this.#looking
  }

  #isFresh({ wroteAt }: Reader): boolean {
    const fresh = this.#fresh
    if (!fresh || performance.now() - fresh.monotonic > MAX_LAG_SECONDS * 1_000) return false
    return !wroteAt || wroteAt < fresh.at
  }

  pick(reader: Reader): Kysely<DB> {
    return this.#isFresh(reader) ? this.#db : this.#primary.db
  }

  async run<T>(reader: Reader, read: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    const db = this.pick(reader)
    if (db === this.#primary.db) return read(db)
    try {
      return await read(db)
    } catch (error) {
      if (!isReplicaTrouble(error)) throw error
      if (isOutage(error)) this.#fresh = undefined
      return read(this.#primary.db)
    }
  }

  async #look(): Promise<void> {
    try {
      const ask = async <T>(pool: pg.Pool, text: string) => {
        const { rows } = await pool.query<Position & T>({ text, query_timeout: LOOK_TIMEOUT_MS } as pg.QueryConfig)
        return rows[0] as Position & T
      }
      const monotonic = performance.now()
      const primary = await ask<{ at: Date }>(this.#primary.pool, PRIMARY)
      this.#waiting.push({ at: primary.at, lsn: BigInt(primary.lsn ?? 0), monotonic })
      if (this.#waiting.length > MAX_WAITING) this.#waiting.splice(1, 1)
      const { lsn, systemId } = await ask(this.#pool, REPLICA)
      if (lsn === null || systemId !== primary.systemId) return this.#judge('is not a replica of this database')
      const reached = this.#waiting.filter((position) => position.lsn <= BigInt(lsn))
      this.#waiting = this.#waiting.slice(reached.length)
      this.#fresh = reached.at(-1) ?? this.#fresh
      this.#judge(this.#isFresh({}) ? 'is read' : `is more than ${MAX_LAG_SECONDS} seconds behind`)
    } catch (error) {
      this.#judge('does not respond', error as Error)
    }
  }

  /** One line in the log for each change. */
  #judge(state: string, error?: Error): void {
    if (state !== 'is read' && !state.startsWith('is more')) this.#fresh = undefined
    if (state === this.#state) return
    this.#state = state
    if (state === 'is read') this.#log.info('the read replica is read')
    else this.#log.warn({ err: error }, `the read replica ${state}; the primary is read instead`)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    const ended = this.#pool.end()
    await this.#looking
    clearTimeout(this.#timer)
    await ended
  }
}

/** Opens the replica of a configuration. It may be away: until it is seen close behind, the primary is read. */
export async function openReads(
  primary: { db: Kysely<DB>; pool: pg.Pool },
  databaseReadUrl: string | undefined,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<Reads> {
  if (!databaseReadUrl) return readsOn(primary.db)
  const replica = new Replica(primary, { connectionString: databaseReadUrl }, log)
  await replica.start()
  return replica
}
