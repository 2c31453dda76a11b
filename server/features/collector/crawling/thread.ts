/** The collecting thread: takes jobs and crawls them, away from the request thread. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createCrawler } from '#server/crawler/index.ts'
import { kyselyOn, openPool } from '#server/platform/db/database.ts'
import { isOutage } from '#server/platform/db/outage.ts'
import { createLog } from '#server/platform/log.ts'
import { createAlarm } from '#server/platform/threads/alarm.ts'
import { MailDomains } from '../mail-domains.ts'
import * as leases from './leases-store.ts'
import { type Collecting, runJob } from './run.ts'
import type { ThreadData, ThreadMessage } from './start.ts'

/** Jobs at once in a process: several workspaces get on, and memory stays bounded. */
const AT_ONCE = 6
const EXTEND_MS = 3_000
const AFTER_FAILURE_MS = 2_000

const { connection, config, alone, pollMs } = workerData as ThreadData
const log = createLog({ logLevel: config.logLevel })
const pool = openPool(connection, 3, (error) =>
  log.warn({ err: error }, 'an idle database connection of the collecting thread broke'),
)
const db = kyselyOn(pool)
const stop = new AbortController()
const tell = (message: ThreadMessage) => parentPort?.postMessage(message)
const collecting: Collecting = {
  db,
  log,
  crawler: createCrawler({
    rules: { allow: config.allowPrivate, dnsServers: config.dnsServers },
    userAgent: `Postlark/1.0 (+${config.publicUrl}/bot)`,
  }),
  domains: new MailDomains(config.dnsServers),
  // The queue is in the request thread.
  queue: { enqueue: async ({ name }, payload) => tell({ name, payload }) },
  changed: (jobId) => tell(jobId),
}

/** This process among all that ever ran: jobs it holds carry the name. */
const self = `${hostname()}:${process.pid}:${randomUUID()}`
const running = new Map<string, { worker: string; isSuspect: boolean; abort: AbortController; done: Promise<void> }>()
const alarm = createAlarm()

async function failed({ id, worker, failures }: leases.LeasedJob, error: unknown): Promise<void> {
  log.error({ err: error, job: id, failures }, 'a crawl job could not go on')
  // The lease goes on meanwhile: nobody else runs into the same trouble at once.
  await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS))
  // A database that is away is waited for however long it takes.
  if (isOutage(error)) await leases.forgiveStart(db, worker)
  else if (failures >= leases.MAX_FAILURES) {
    const stateText = 'Something went wrong on our side. The results are retained.'
    return leases.endJob(db, worker, { state: 'failed', stateText })
  }
  await leases.releaseJob(db, worker, 'failed')
}

async function takeJob(): Promise<boolean> {
  if ([...running.values()].some(({ isSuspect }) => isSuspect)) return false
  const job = await leases.claimJob(db, self, running.size > 0)
  if (!job) return false
  const abort = new AbortController()
  const done = runJob(collecting, job, abort.signal)
    .catch((error) => failed(job, error))
    .catch((error) =>
      log.error({ err: error, job: job.id }, 'a crawl job could not be let go; another run takes it over'),
    )
    .finally(() => {
      running.delete(job.id)
      alarm.ring()
    })
  running.set(job.id, { worker: job.worker, isSuspect: leases.isSuspect(job), abort, done })
  collecting.changed(job.id)
  return true
}

/** Ends runs whose job was paused, stopped, removed or taken over. */
async function lookAfter(extend: boolean): Promise<void> {
  const states = await leases.leasedStates(
    db,
    [...running.values()].map(({ worker }) => worker),
    extend,
  )
  for (const [id, { abort }] of running) if (states.get(id) !== 'running') abort.abort()
}

async function work(): Promise<void> {
  let extendAt = 0
  let isPrepared = false
  while (!stop.signal.aborted) {
    try {
      if (!isPrepared) {
        await leases.prepareClaims(db)
        if (alone) await leases.releaseAll(db)
        isPrepared = true
      }
      const extend = performance.now() >= extendAt
      await lookAfter(extend)
      if (extend) extendAt = performance.now() + EXTEND_MS
      for (const id of await leases.giveUpJobs(db)) collecting.changed(id)
      while (running.size < AT_ONCE && !stop.signal.aborted && (await takeJob()));
    } catch (error) {
      log.error({ err: error }, 'the collecting thread had trouble; trying again')
    }
    await alarm.pause(pollMs)
  }
}

parentPort?.on('message', (message: 'wake' | 'stop') => {
  if (message === 'stop') {
    stop.abort()
    for (const { abort } of running.values()) abort.abort()
  }
  alarm.ring()
})

await work()
await Promise.allSettled([...running.values()].map(({ done }) => done))
await collecting.crawler.close()
await db.destroy()
parentPort?.close()
