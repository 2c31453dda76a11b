import type { Connection } from '#server/platform/db/database.ts'
import { type JobMessage, SupervisedThread } from '#server/platform/threads/supervised.ts'
import type { Services } from '#server/services.ts'
import { CHANGED } from '../collector.ts'
import { isAnyOpen } from './leases-store.ts'

/** What the collecting thread is given: plain data, because it crosses to another thread. */
export interface ThreadData {
  connection: Connection
  config: Pick<Services['config'], 'publicUrl' | 'logLevel' | 'allowPrivate' | 'dnsServers'>
  /** No other process can be collecting (embedded database): what a crash left behind is taken up at once. */
  alone: boolean
  pollMs: number
}

/** What the thread tells: the id of a job of which something changed, or work for the queue. */
export type ThreadMessage = string | JobMessage

const STOP_MS = 10_000
/** Without a job for so long, the thread ends and gives its memory back. */
const REST_MS = 120_000
/**
 * Heap in MiB: pages come and go, and a small young generation (three semi-spaces of 2) has their garbage collected as it
 * comes. Measured by `npm run bench crawl`: 60 MiB less at its peak than V8's own choice, no slower.
 */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 }

/** Starts the collecting thread with a crawl job, and ends it when there is none for a while. It is started again should it ever end by itself. Returns how to stop it. */
export function startCollecting(services: Services): { stop(): Promise<void> } {
  const { config, live } = services
  const { publicUrl, logLevel, allowPrivate, dnsServers } = config
  const workerData: ThreadData = {
    connection: services.connection,
    config: { publicUrl, logLevel, allowPrivate, dnsServers },
    alone: services.alone,
    pollMs: services.intervals.collectingPollMs,
  }
  // What the thread tells must not come back to it.
  let isTelling = false
  const thread = new SupervisedThread<string>(services, {
    name: 'collecting',
    file: new URL('./thread.ts', import.meta.url),
    workerData,
    resourceLimits,
    whileNeeded: {
      hasWork: () => services.conditions.holds(isAnyOpen),
      pollMs: services.intervals.newWorkMs,
      restMs: REST_MS,
    },
    stopMs: STOP_MS,
    onMessage(jobId) {
      isTelling = true
      live.publish(CHANGED, jobId)
      isTelling = false
    },
  })
  const unsubscribe = live.subscribe(CHANGED, () => {
    if (!isTelling) thread.post('wake')
  })
  return {
    async stop() {
      unsubscribe()
      await thread.stop()
    },
  }
}
