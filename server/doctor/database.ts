/** The database: reachable, of a version that is supported, of this secret key, up to date, backed up, and its queue. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { databaseLines, probed, queueHealth, spell } from '#server/features/admin/index.ts'
import { BackupError, checkRestored, findLastBackup } from '../platform/backup/index.ts'
import type { Config } from '../platform/config.ts'
import { openPool } from '../platform/db/database.ts'
import { DatabaseBusy } from '../platform/db/embedded/index.ts'
import { findWorkerSilence } from '../platform/db/job-counts.ts'
import { type Reached, reach } from '../platform/db/reach.ts'
import { findUnsupportedServer } from '../platform/db/supported/index.ts'
import { findFingerprint, secretFingerprint } from '../platform/secret-check.ts'
import { type Check, ok, problem, toCheck, warning } from './check.ts'
import { checkConnections } from './connections.ts'
import { hasEmbeddedDatabase } from './machine.ts'

const NAME = 'Database'
const PATIENCE_MS = 8_000
const BACKUP_WARNING_SECONDS = 7 * 86_400
/** pg-boss looks after its queues every 15 seconds where jobs are worked. */
const WORKER_GONE_SECONDS = 5 * 60

/** What the other checks need of the database. */
export interface DatabaseFindings {
  checks: Check[]
  /** Whether there is one with tables of ours; undefined where it could not be looked at. */
  exists: boolean | undefined
  /** Seconds that its clock is ahead of ours; undefined on the same machine. */
  ahead?: number | undefined
  /** The latest time that it knows. */
  newest?: Date | undefined
}

/** The other user whose database it is. It is not started for a look then: as root, its files would change their owner. */
function findOtherOwner({ dataDir }: Config): number | undefined {
  const us = process.getuid?.()
  // Root may run PostgreSQL as another user; the data folder is root's all the same.
  const { uid } = statSync(us === 0 ? dataDir : join(dataDir, 'postgres'))
  return us !== undefined && uid !== us ? uid : undefined
}

/** Looks at the database. An embedded one that does not run is started for the moment, unless there is none yet. */
export async function checkDatabase(config: Config, isRunning: boolean): Promise<DatabaseFindings> {
  if (!config.databaseUrl && !isRunning) {
    if (!hasEmbeddedDatabase(config))
      return { exists: false, checks: [ok(NAME, 'Embedded; none yet. The first start makes it.')] }
    const owner = findOtherOwner(config)
    if (owner !== undefined) {
      const text = `Not looked at: the server does not run, and ${config.dataDir} belongs to another user (${owner}).`
      return { exists: undefined, checks: [warning(NAME, text, 'Run this as that user, or while the server runs.')] }
    }
  }
  let reached: Reached
  try {
    reached = await reach(config)
  } catch (error) {
    return { exists: undefined, checks: [judgeStart(error as Error)] }
  }
  const pool = openPool(reached.connection, 1, () => undefined)
  try {
    const found = await look(pool, config, reached.through)
    return found.exists === undefined
      ? found
      : { ...found, checks: [...found.checks, ...(await checkConnections(config))] }
  } finally {
    // A database that does not respond does not say goodbye either.
    void pool.end().catch(() => undefined)
    await reached.leave()
  }
}

/** What it means that the embedded database could not be started for a look. */
function judgeStart(error: Error): Check {
  if (error instanceof DatabaseBusy)
    return warning(
      NAME,
      'A server in another container or on another machine uses it.',
      'Run this where that server runs.',
    )
  return problem(NAME, `It cannot be started: ${error.message}`, 'docs/operations.md, "The embedded database".')
}

/** Opens the pool's connection, in which nothing can be written. Returns why none can be opened; undefined where one can. */
async function connect(pool: pg.Pool): Promise<string | undefined> {
  const late = wait(PATIENCE_MS, 'no response within 8 seconds', { ref: false })
  const attempt = pool.query('set default_transaction_read_only = on').then(
    () => undefined,
    // Of a host with several addresses the error has only a code.
    (error: NodeJS.ErrnoException) => error.message || error.code || 'no connection',
  )
  return await Promise.race([attempt, late])
}

async function look(pool: pg.Pool, config: Config, through: Reached['through']): Promise<DatabaseFindings> {
  const failure = await connect(pool)
  if (failure) {
    const advice =
      through === 'url' ? 'Check DATABASE_URL, and that its server runs.' : 'Run this as the user of the server.'
    return { exists: undefined, checks: [problem(NAME, `It cannot be used: ${failure}.`, advice)] }
  }
  const unsupported = await findUnsupportedServer(pool)
  if (unsupported) return { exists: undefined, checks: [problem(NAME, unsupported.problem, unsupported.advice)] }
  const { rows } = await pool.query<{ tables: boolean; queue: boolean; now: Date }>(
    `select to_regclass('schema_migrations') is not null as tables,
       to_regclass('pgboss.job') is not null as queue, clock_timestamp() as now`,
  )
  const found = rows[0]
  const ahead = through === 'url' && found ? (found.now.getTime() - Date.now()) / 1_000 : undefined
  if (!found?.tables)
    return { exists: false, ahead, checks: [ok(NAME, 'Reachable and empty. The first start makes its tables.')] }
  try {
    return { exists: true, ahead, ...(await lookAtTables(pool, config, through, found.queue)) }
  } catch (error) {
    const text = `Its tables cannot be read: ${(error as Error).message}.`
    return { exists: true, ahead, checks: [problem(NAME, text, 'Run npm run migrate, or restore a backup.')] }
  }
}

const NAMES: Record<string, string> = {
  'Kind and size': NAME,
  'Response time': 'Database latency',
  Tables: 'Migrations',
  Database: NAME,
}

async function lookAtTables(pool: pg.Pool, config: Config, through: Reached['through'], hasQueue: boolean) {
  const lines = await probed('database', NAME, () => databaseLines({ pool, alone: through !== 'url' }))
  const checks = lines.map((line) => toCheck(line, NAMES[line.name]))
  try {
    await checkRestored(pool)
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    checks.push(problem('Restore', error.message, ''))
  }
  checks.push(...(await checkFingerprint(pool, config)))
  if (hasQueue) checks.push(...(await checkQueue(pool, through)))
  const backup = await findLastBackup(pool)
  checks.push(checkBackup(backup))
  const { rows } = await pool.query<{ at: Date | null }>('select max(applied_at) as at from schema_migrations')
  const newest = [backup, rows[0]?.at].flatMap((at) => (at ? [at] : [])).sort((a, b) => b.getTime() - a.getTime())[0]
  return { checks, newest }
}

/** Whether the stored credentials and the links of sent emails are of this key. */
async function checkFingerprint(pool: pg.Pool, { secretKey }: Config): Promise<Check[]> {
  const stored = await findFingerprint(pool)
  if (!secretKey || !stored || stored === secretFingerprint(secretKey)) return []
  const text = 'SECRET_KEY is not the key of this database, and the server does not start with it.'
  return [
    problem('Secret key', text, 'Give every process the SECRET_KEY, or the DATA_DIR, that the database was made with.'),
  ]
}

/** Jobs that wait too long or failed. Without a server they wait for its start, which is no fault of the queue. */
async function checkQueue(pool: pg.Pool, through: Reached['through']): Promise<Check[]> {
  const { lines } = await queueHealth({ pool, config: { role: 'all' } })
  const [jobs, failed] = lines.map((line) => toCheck(line))
  if (!jobs || !failed) return []
  if (through === 'start')
    return [jobs.state === 'ok' ? jobs : warning(jobs.name, jobs.text, 'The server is not running. Start it.'), failed]
  if (through === 'server') return [jobs, failed]
  const silence = await findWorkerSilence(pool)
  const name = 'Worker'
  const advice = 'Start the server, or a worker: the same program with ROLE=worker.'
  if (silence === null) return [jobs, failed, warning(name, 'None has reported yet.', advice)]
  if (silence < WORKER_GONE_SECONDS) return [jobs, failed, ok(name, `One reported ${spell(silence)} ago.`)]
  return [jobs, failed, warning(name, `None has reported for ${spell(silence)}.`, advice)]
}

/** The age of the last backup. Copies made by other means are not known here. */
function checkBackup(at: Date | undefined): Check {
  const name = 'Backup'
  const advice = 'Run npm run backup -- FILE regularly, unless the database is backed up in another way.'
  if (!at) return warning(name, 'None was made by npm run backup.', advice)
  const seconds = Math.max(0, (Date.now() - at.getTime()) / 1_000)
  const text = `The last one was made ${spell(seconds)} ago, ${at.toISOString()}.`
  return seconds > BACKUP_WARNING_SECONDS ? warning(name, text, advice) : ok(name, text)
}
