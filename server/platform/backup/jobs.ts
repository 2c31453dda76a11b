import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { QUEUE_OPTIONS, sendOptions } from '../queue.ts'
import type { RestoreSummary } from './restore.ts'

/** Queues the jobs that waited when a backup was made. Those that a version no longer knows stay without effect. */
export async function restoreJobs(pool: pg.Pool, jobs: RestoreSummary['jobs']): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text: string, values?: unknown[]) => pool.query(text, values as unknown[]) },
    schema: 'pgboss',
    supervise: false,
    schedule: false,
  })
  await boss.start()
  for (const name of new Set(jobs.map((job) => job.name))) await boss.createQueue(name, QUEUE_OPTIONS)
  for (const { name, data, startAfter, singletonKey, retryLimit, expireSeconds } of jobs)
    await boss.send(name, data, {
      ...sendOptions({ retries: retryLimit, expireSeconds }),
      startAfter,
      singletonKey: singletonKey ?? randomUUID(),
    })
  await boss.stop({ graceful: false, close: false })
}
