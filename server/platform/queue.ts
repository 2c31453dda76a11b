import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Config } from './config.ts'
import type { Database, Db } from './db/database.ts'
import { oneAtATime } from './db/lock.ts'
import type { Log } from './log.ts'
import { PeriodicClock, type PeriodicWork, untilNext } from './time/periodic.ts'

/** Thrown by a job that has to wait for its turn: it counts as a try, and it is no failure. */
export class NotYet extends Error {}

/** A kind of background work: its name, what it is given, how often it is tried. */
export interface Job<S extends z.ZodType> {
  name: string
  payload: S
  /** Tries after a failure, with growing gaps. */
  retries: number
  /** A run that takes longer is given to another worker; long work keeps its own progress. Seconds. */
  expireSeconds: number
  /** Its jobs are queued with a `group`. */
  grouped: boolean
}

export function job<S extends z.ZodType>(
  name: string,
  payload: S,
  options: { retries?: number; expireSeconds?: number; grouped?: boolean } = {},
): Job<S> {
  const { retries = 5, expireSeconds = 900, grouped = false } = options
  return { name, payload, retries, expireSeconds, grouped }
}

interface EnqueueOptions {
  /** The transaction the job belongs to: it is queued when that commits, or never. */
  db?: Db
  /** Not before this time. */
  at?: Date
  /** While a job with this key waits, another one is not queued. */
  key?: string
  /** It is not queued where one was in the same span of so many seconds, by whatever process. */
  spanSeconds?: number
  /** Of the jobs of a group, such as those of a workspace, a process runs one at a time; others pass them. The kind has to be `grouped`. */
  group?: string
}

export interface Queue {
  /** Whether this process does work, or only queues it (role web). */
  works: boolean
  enqueue<S extends z.ZodType>(job: Job<S>, payload: z.input<S>, options?: EnqueueOptions): Promise<void>
  /** Registers a job and, in a process that works, starts handling it; `signal` aborts when the process stops, `isLastTry` says that a failure would be the job's last. */
  handle<S extends z.ZodType>(
    job: Job<S>,
    run: (payload: z.output<S>, signal: AbortSignal, isLastTry: boolean) => Promise<void>,
    concurrency?: number,
  ): Promise<void>
  /** Whether a job with this key waits, runs, or waits for its next try. */
  holds(db: Db, job: Pick<Job<z.ZodType>, 'name'>, key: string): Promise<boolean>
  /** Forgets every job, waiting or done, whose payload has this value under this name, in whatever case. One that runs at this moment stays. */
  forget(db: Db, name: string, value: string): Promise<void>
  /** Does work again and again, from now on, in a process that works. */
  every(work: PeriodicWork): Promise<void>
  /** Starts no periodic work any more, and waits for what is under way. */
  stopPeriodic(): Promise<void>
  stop(): Promise<void>
}

/** A running job without a sign of life for this long has lost its process: another worker takes it. Seconds. */
const HEARTBEAT_SECONDS = 45
const HEARTBEAT_INTERVAL_SECONDS = 10
/** How often lost jobs are looked for. Seconds. */
const SUPERVISE_SECONDS = 15
const FLOW_SECONDS = 3_600
/** Each worker looks for itself so rarely because one statement a second looks for all of them (see `wakeDue`). Seconds. */
const OWN_POLL_SECONDS = 3_600

/** A job whose time has come. `blocked` is in the condition of the index of jobs that wait; without it those that are done are read too. */
const IS_DUE = sql`state < 'active' and not blocked and start_after < now()`

/** How every queue is made. */
export const QUEUE_OPTIONS = { policy: 'short', notify: true } as const

/** How every job is queued. */
export const sendOptions = ({ retries, expireSeconds }: Pick<Job<z.ZodType>, 'retries' | 'expireSeconds'>) => ({
  retryLimit: retries,
  retryBackoff: true,
  retryDelay: 5,
  expireInSeconds: expireSeconds,
  heartbeatSeconds: HEARTBEAT_SECONDS,
})

/**
 * Gives back every job that is marked as running: for a process that knows that no other one works on this database, so
 * that whatever runs was left by its own predecessor. Later, once PostgreSQL was started again, those that are marked since before
 * and are not `running` here: the word that they began or ended was lost. It counts as a try, so that a job that ends its process each time ends too.
 */
async function giveBack(boss: PgBoss, pool: pg.Pool, running?: ReadonlySet<string>): Promise<void> {
  const { rows } = await pool.query<{ name: string; ids: string[] }>(
    `select name, array_agg(id) as ids from pgboss.job
     where state = 'active' and ($1::uuid[] is null or started_on < pg_postmaster_start_time() and not id = any($1)) group by name`,
    [running ? [...running] : null],
  )
  for (const { name, ids } of rows) {
    await boss.fail(name, ids, { message: 'the process that ran it ended' })
    // The delay before a next try is for work that failed; this was cut off.
    await pool.query(`update pgboss.job set start_after = now() where name = $1 and id = any($2) and state = 'retry'`, [
      name,
      ids,
    ])
  }
}

/** Of a kind that is grouped each job has a group, and no key: pg-boss gives back what waits for its group, beside which another one with the key may wait. */
function requireGroup(
  { name, grouped }: Pick<Job<z.ZodType>, 'name' | 'grouped'>,
  { group, key }: EnqueueOptions,
): void {
  if (grouped && (!group || key)) throw new Error(`Jobs of ${name} are queued with a group and without a key.`)
  if (!grouped && group) throw new Error(`Jobs of ${name} have no group.`)
}

function logFailure(log: Log, about: { job: string; id: string }, error: unknown): void {
  if (error instanceof NotYet) log.info({ ...about, reason: error.message }, 'a job waits for its turn')
  else log.error({ ...about, err: error }, 'a job failed')
}

/**
 * Wakes the workers of jobs whose time has come: those for later, and those that are tried again, are announced by nobody. A
 * worker for each kind of job that looks for itself would be 30 statements a second of an installation that does nothing.
 */
const wakeDue = (boss: PgBoss, db: Db, workers: ReadonlyMap<string, string[]>, intervalMs: number): PeriodicWork => ({
  name: 'queue.wake-due',
  per: 'process',
  intervalMs,
  isDue: sql<boolean>`exists (select 1 from pgboss.job where ${IS_DUE})`,
  async run() {
    const { rows } = await sql<{ name: string }>`
      select names.name from unnest(${[...workers.keys()]}::text[]) as names (name)
      where exists (select 1 from pgboss.job where job.name = names.name and ${IS_DUE})`.execute(db)
    for (const { name } of rows) for (const id of workers.get(name) ?? []) boss.notifyWorker(id)
  },
})

/**
 * Does work in one process of all. Each run queues the next one; where a condition says whether there is anything to do, each
 * process asks, and the first one to find something queues the run of that span of time.
 */
async function everyFromQueue(queue: Queue, clock: PeriodicClock, work: PeriodicWork): Promise<void> {
  const once = job(work.name, z.object({}))
  const key = 'next'
  if (work.isDue) {
    await queue.handle(once, async (_, signal) => void (await work.run(signal)))
    const spanSeconds = Math.ceil(untilNext(work) / 1_000)
    if (queue.works) clock.start({ ...work, run: () => queue.enqueue(once, {}, { key, spanSeconds }) })
    return
  }
  const queueNext = () => queue.enqueue(once, {}, { at: new Date(Date.now() + untilNext(work)), key })
  await queue.handle(once, async (_, signal) => {
    // Before the work, so that a failure breaks no chain.
    await queueNext()
    await work.run(signal)
  })
  await queueNext()
}

/** How pg-boss listens for new jobs. `onAgain`: the connection was opened, or opened again after it broke. */
const listenFor =
  (direct: Database['direct'], log: Log, onAgain: () => Promise<void>) =>
  async (channel: string, onNotification: (payload: string) => void, onListening: () => void) => {
    const close = await direct.listening.listen(channel, {
      onNotification,
      onListening() {
        onListening()
        onAgain().catch((error) => log.warn({ err: error }, 'jobs that ended with PostgreSQL wait for a minute'))
      },
      onError: (error) => log.warn({ err: error }, 'the job queue is not told of new jobs; it looks for them'),
    })
    return { close: async () => close() }
  }

/**
 * Opens the job queue (pg-boss) in the product's own database. `works` says whether this process handles jobs, `alone` that
 * no other process can, `pollMs` how often it looks for jobs whose time has come. Of those that are due at once PostgreSQL
 * tells it as their transaction is committed, whichever process queued them.
 */
export async function openQueue(
  { db, pool, direct, alone, conditions }: Pick<Database, 'db' | 'pool' | 'direct' | 'alone' | 'conditions'>,
  config: Pick<Config, 'databaseBackend'>,
  log: Log,
  works: boolean,
  pollMs: number,
): Promise<Queue> {
  const running = new Set<string>()
  const goOn = async (): Promise<void> => {
    if (isOpen && alone && works) await giveBack(boss, pool, running)
  }
  let isOpen = false
  // Only here: threads know kinds of jobs, and open no queue.
  const { fromKysely, PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: {
      executeSql: (text: string, values?: unknown[]) => pool.query(text, values as unknown[]),
      listen: listenFor(direct, log, goOn),
    },
    useListenNotify: works,
    ...(config.databaseBackend !== 'postgres' && { backend: config.databaseBackend }),
    schema: 'pgboss',
    supervise: works,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // No job depends on another one.
    flowIntervalSeconds: FLOW_SECONDS,
    schedule: false,
  } as ConstructorParameters<typeof PgBoss>[0])
  boss.on('warning', ({ message }: { message: string }) => log.warn(`the job queue: ${message}`))
  boss.on('error', (error: Error) => log.error({ err: error }, 'the job queue had trouble'))
  // It makes its tables where they are missing, and several processes may start on a new database at the same moment.
  await oneAtATime(direct.pool, () => boss.start())
  if (alone && works) await giveBack(boss, pool)
  isOpen = true
  const stopping = new AbortController()
  const clock = new PeriodicClock(log, conditions)
  /** The workers of this process by the kind of job they do. */
  const workers = new Map<string, string[]>()
  if (works) clock.start(wakeDue(boss, db, workers, pollMs))

  const queue: Queue = {
    works,
    async enqueue(job, payload, options = {}) {
      requireGroup(job, options)
      await boss.send(job.name, job.payload.parse(payload) as object, {
        ...sendOptions(job),
        ...(options.at && { startAfter: options.at }),
        ...(options.spanSeconds && { singletonSeconds: options.spanSeconds }),
        singletonKey: options.key ?? randomUUID(),
        ...(options.group && { group: { id: options.group } }),
        ...(options.db && { db: fromKysely(options.db as never) }),
      })
    },
    async handle(job, run, concurrency = 1) {
      await boss.createQueue(job.name, QUEUE_OPTIONS)
      if (!works) return
      for (let i = 0; i < concurrency; i++) {
        const options = {
          batchSize: 1,
          pollingIntervalSeconds: OWN_POLL_SECONDS,
          notifyPollingIntervalSeconds: OWN_POLL_SECONDS,
          heartbeatRefreshSeconds: HEARTBEAT_INTERVAL_SECONDS,
          includeMetadata: true as const,
          ...(job.grouped && { localGroupConcurrency: 1 }),
        }
        const id = await boss.work(job.name, options, async ([item]) => {
          if (!item) return
          running.add(item.id)
          try {
            const isLastTry = item.retryCount >= item.retryLimit
            await run(job.payload.parse(item.data) as never, stopping.signal, isLastTry)
          } catch (error) {
            logFailure(log, { job: job.name, id: item.id }, error)
            throw error
          } finally {
            running.delete(item.id)
            // More may wait: it looks again at once, and pauses only when it finds nothing.
            boss.notifyWorker(id)
          }
        })
        workers.set(job.name, [...(workers.get(job.name) ?? []), id])
      }
    },
    async holds(db, job, key) {
      const found = await sql`select from pgboss.job
        where name = ${job.name} and singleton_key = ${key} and state < 'completed' limit 1`.execute(db)
      return found.rows.length > 0
    },
    async forget(db, name, value) {
      await sql`delete from pgboss.job where lower(data ->> ${name}) = lower(${value}) and state <> 'active'`.execute(
        db,
      )
    },
    async every(work) {
      if (work.per === 'database') await everyFromQueue(queue, clock, work)
      else if (works) clock.start(work)
    },
    stopPeriodic: () => clock.stop(),
    async stop() {
      stopping.abort()
      await clock.stop()
      await boss.stop({ graceful: true, timeout: 25_000, close: false } as Parameters<typeof boss.stop>[0])
    },
  }
  return queue
}
