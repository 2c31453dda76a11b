import { expect, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '#server/testing/database.ts'
import { openDatabase } from './db/database.ts'
import { createLog } from './log.ts'
import { job, openQueue } from './queue.ts'

const POLL_MS = 3_600_000
const log = createLog({ logLevel: 'fatal' })
const config = { databaseBackend: 'postgres' as const }

/** A queue that looks for jobs by itself once an hour: whatever runs in a test was announced. */
async function testQueue() {
  const { url, drop } = await testDatabase()
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
  const queue = await openQueue(database, config, log, true, POLL_MS)
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
