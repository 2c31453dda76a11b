import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Connection } from '#server/platform/db/database.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { CHANGED } from '../collector.ts'

/** What the collecting thread is given: plain data, because it crosses to another thread. */
export interface ThreadData {
  connection: Connection
  config: Pick<Services['config'], 'publicUrl' | 'logLevel' | 'allowPrivate' | 'dnsServers'>
  /** No other process can be collecting (embedded database): what a crash left behind is taken up at once. */
  alone: boolean
}

/** What the thread tells: the id of a job of which something changed, or work for the queue. */
export type ThreadMessage = string | { name: string; payload: unknown }

const STOP_MS = 10_000
const AGAIN_MS = 1_000
/**
 * Heap in MiB: pages come and go, and a small young generation (three semi-spaces of 2) has their garbage collected as it
 * comes. Measured by `npm run bench crawl`: 60 MiB less at its peak than V8's own choice, no slower.
 */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 }

/** Starts the collecting thread. It is started again should it ever end by itself. Answers how to stop it. */
export function startCollecting(services: Services): { stop(): Promise<void> } {
  const { config, log, live } = services
  const { publicUrl, logLevel, allowPrivate, dnsServers } = config
  const workerData: ThreadData = {
    connection: services.connection,
    config: { publicUrl, logLevel, allowPrivate, dnsServers },
    alone: services.alone,
  }
  const enqueue = ({ name, payload }: Exclude<ThreadMessage, string>) => {
    services.queue
      .enqueue(job(name, z.unknown()), payload)
      .catch((error) => log.error({ err: error, job: name }, 'work of the collecting thread was not queued'))
  }
  let stopping = false
  let worker: Worker
  // What the thread tells must not come back to it.
  let isTelling = false
  const open = () => {
    worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData, resourceLimits })
    worker.on('message', (message: ThreadMessage) => {
      if (typeof message === 'object') return enqueue(message)
      isTelling = true
      live.publish(CHANGED, message)
      isTelling = false
    })
    worker.on('error', (error) => log.error({ err: error }, 'the collecting thread ended with an error'))
    worker.on('exit', () => {
      if (!stopping) setTimeout(open, AGAIN_MS).unref()
    })
  }
  open()
  const unsubscribe = live.subscribe(CHANGED, () => {
    if (!isTelling) worker.postMessage('wake')
  })
  return {
    async stop() {
      stopping = true
      unsubscribe()
      const gone = once(worker, 'exit')
      worker.postMessage('stop')
      const timer = setTimeout(() => void worker.terminate(), STOP_MS)
      await gone
      clearTimeout(timer)
    },
  }
}
