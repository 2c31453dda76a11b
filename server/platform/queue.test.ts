import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '#server/testing/database.ts'
import { untilPasses } from '#server/testing/until.ts'
import { openDatabase } from './db/database.ts'
import { createLog } from './log.ts'
import { job, NotYet, openQueue } from './queue.ts'

const POLL_MS = 3_600_000
const log = createLog({ logLevel: 'fatal' })
const config = { databaseBackend: 'postgres' as const }

/** A queue that looks for jobs by itself once an hour, if not told otherwise: whatever runs in a test was announced. */
async function testQueue(pollMs = POLL_MS, jobLog = log, alone = false) {
  const { url, drop } = await testDatabase()
  const database = { ...(await openDatabase({ databaseUrl: url, dataDir: '' }, log)), alone }
  const queue = await openQueue(database, config, jobLog, true, pollMs)
  return {
    ...database,
    queue,
    async [Symbol.asyncDispose]() {
      await queue.stop()
      await database.close()
      await drop()
    },
  }
}

test('queue: jobs run without a pause as soon as the transaction that queued them commits', async () => {
  await using t = await testQueue()
  const numbered = job('test.numbered', z.object({ n: z.number() }))
  const seen: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  await t.queue.handle(numbered, async ({ n }) => {
    if (seen.push(n) === 20) resolve()
  })
  await t.db.transaction().execute(async (db) => {
    for (let n = 0; n < 20; n++) await t.queue.enqueue(numbered, { n }, { db })
    expect(seen).toEqual([])
  })
  await promise
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

test('queue: a lost LISTEN connection is opened again, and jobs queued meanwhile run', async () => {
  await using t = await testQueue()
  const once = job('test.once', z.object({}))
  const runs = Promise.withResolvers<void>()
  await t.queue.handle(once, async () => runs.resolve())
  await t.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'",
  )
  await t.queue.enqueue(once, {})
  await runs.promise
})

test('queue: where one process works alone, a job that PostgreSQL ended with runs again at once, and one that still runs does not', async () => {
  await using t = await testQueue(500, log, true)
  const kind = job('test.cut-off', z.object({ n: z.number() }))
  const seen: number[] = []
  const isBegun = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  await t.queue.handle(
    kind,
    async ({ n }) => {
      seen.push(n)
      if (n === 1) {
        isBegun.resolve()
        await isOver.promise
      } else isOver.resolve()
    },
    2,
  )
  await t.queue.enqueue(kind, { n: 1 })
  await isBegun.promise
  // The word that this one began was lost.
  await t.queue.enqueue(kind, { n: 2 }, { at: new Date(Date.now() + 3_600_000) })
  await sql`update pgboss.job set state = 'active', started_on = pg_postmaster_start_time() - interval '1 second', heartbeat_on = now()
    where name = ${kind.name} and state < 'completed'`.execute(t.db)
  await t.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'",
  )
  await isOver.promise
  expect(seen).toEqual([1, 2])
  const { rows } =
    await sql`select retry_count as tries from pgboss.job where name = ${kind.name} order by data ->> 'n'`.execute(t.db)
  expect(rows).toEqual([{ tries: 0 }, { tries: 1 }])
})

test('queue: work per database is scheduled once for all processes, and again after each run', async () => {
  await using t = await testQueue()
  const other = await openQueue(t, config, log, true, 500)
  const ran = Promise.withResolvers<void>()
  const work = { name: 'test.nightly', per: 'database' as const, intervalMs: POLL_MS, run: async () => ran.resolve() }
  await Promise.all([t.queue.every(work), other.every(work)])
  const planned = async () =>
    (await t.pool.query("select id from pgboss.job where name = 'test.nightly' and state = 'created'")).rows
  const before = await planned()
  expect(before).toHaveLength(1)
  await t.pool.query("update pgboss.job set start_after = now() where name = 'test.nightly'")
  await ran.promise
  const after = await planned()
  expect(after).toHaveLength(1)
  expect(after[0].id).not.toBe(before[0].id)
  await other.stop()
})

test('queue: work per database with a condition runs once it holds, once a second at most whichever process found it', async () => {
  await using t = await testQueue()
  const other = await openQueue(t, config, log, true, POLL_MS)
  await t.pool.query('create sequence asked')
  const ran = Promise.withResolvers<void>()
  const work = {
    name: 'test.due',
    per: 'database' as const,
    intervalMs: 50,
    isDue: sql<boolean>`nextval('asked') > 0 and exists (select 1 from pg_tables where tablename = 'due')`,
    run: async () => ran.resolve(),
  }
  await Promise.all([t.queue.every(work), other.every(work)])
  const count = async () => {
    const { rows } = await t.pool.query<{ asked: number; jobs: number; spans: number }>(
      `select (select last_value from asked)::int as asked, count(*)::int as jobs, count(distinct singleton_on)::int as spans
       from pgboss.job where name = 'test.due'`,
    )
    return rows[0]
  }
  await untilPasses(async () => expect((await count())?.asked).toBeGreaterThan(6))
  expect((await count())?.jobs).toBe(0)
  await t.pool.query('create table due ()')
  await ran.promise
  const dueAt = (await count())?.asked ?? 0
  await untilPasses(async () => expect((await count())?.asked).toBeGreaterThan(dueAt + 6))
  const { jobs, spans } = (await count()) ?? {}
  expect(jobs).toBe(spans)
  await other.stop()
})

test('queue: jobs that are done are not read by the looks for those whose time has come', async () => {
  await using t = await testQueue()
  const late = job('test.late', z.object({}))
  const ran = Promise.withResolvers<void>()
  const run = async () => ran.resolve()
  await t.queue.handle(late, run)
  const DONE = 20_000
  await t.pool.query(`insert into pgboss.job (name, state, policy, singleton_key)
    select 'test.late', 'completed', 'short', n from generate_series(1, ${DONE}) n`)
  await t.pool.query('vacuum analyze pgboss.job_common')
  const read = async () => {
    const { rows } = await t.pool.query<{ all: number; waiting: number }>(
      `select (select seq_tup_read::int from pg_stat_user_tables where relname = 'job_common') as all,
         (select idx_scan::int from pg_stat_user_indexes where indexrelname = 'job_common_i11') as waiting`,
    )
    return rows[0]
  }
  const before = await read()
  // The look begins when the table is known to be large.
  const looking = await openQueue(t, config, log, true, 50)
  await looking.handle(late, run)
  await t.queue.enqueue(late, {}, { at: new Date(Date.now() + 100) })
  await ran.promise
  await untilPasses(async () => expect((await read())?.waiting).toBeGreaterThan((before?.waiting ?? 0) + 5))
  expect((await read())?.all).toBeLessThan(DONE + (before?.all ?? 0))
  await looking.stop()
})

test('queue: jobs of a group run one at a time and others pass them; one that waits for its turn is no failure', async () => {
  const lines: { level: number; msg: string; reason?: string }[] = []
  const jobLog = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  // What two workers take at the same moment is given back by one of them, and found again by the next look.
  await using t = await testQueue(100, jobLog)
  const grouped = job('test.grouped', z.object({ of: z.string(), n: z.number() }), { grouped: true })
  const [held, passed, done] = [0, 0, 0].map(() => Promise.withResolvers<void>())
  const seen: string[] = []
  let running = 0
  await t.queue.handle(
    grouped,
    async ({ of, n }, _signal, isLastTry) => {
      seen.push(`${of}${n}`)
      if (of === 'other') {
        passed?.resolve()
        if (!isLastTry) throw new NotYet('the sender is in use')
        return
      }
      expect(++running).toBe(1)
      await held?.promise
      running--
      if (seen.filter((one) => one.startsWith('slow')).length === 3) done?.resolve()
    },
    3,
  )
  await t.db.transaction().execute(async (db) => {
    for (const n of [1, 2, 3]) await t.queue.enqueue(grouped, { of: 'slow', n }, { db, group: 'slow' })
    await t.queue.enqueue(grouped, { of: 'other', n: 1 }, { db, group: 'other' })
  })
  await passed?.promise
  expect(seen.filter((one) => one.startsWith('slow')).length).toBeLessThan(2)
  held?.resolve()
  await done?.promise
  expect(running).toBe(0)
  await untilPasses(async () =>
    expect(lines.find(({ msg }) => msg === 'a job waits for its turn')).toMatchObject({ level: 30 }),
  )
  expect(lines.filter(({ msg }) => msg === 'a job failed')).toEqual([])
})
