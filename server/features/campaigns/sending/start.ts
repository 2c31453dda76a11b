import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Connection } from '#server/platform/db/database.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { failHeld, newPulse, type Pulse, watch } from './watchdog.ts'

/** What the sending thread is given: plain data, because it crosses to another thread. */
export interface ThreadData {
  connection: Connection
  config: Pick<
    Services['config'],
    'dataDir' | 'secretKey' | 'publicUrl' | 'logLevel' | 'mailFrom' | 'allowPrivate' | 'dnsServers' | 'production'
  >
  smtpUrl: string | undefined
  gmail: Services['gmail']
  whatsappUrl: string | undefined
  /** No other process can be sending (embedded database): what is left of a crash is settled at once. */
  alone: boolean
  /** Shared with the thread that watches. */
  pulse: Pulse
}

const STOP_MS = 25_000

/**
 * Starts the sending thread. It is started again should it ever end by itself, or be ended because one message keeps it
 * from everything else. Returns how to stop it.
 */
export function startSending(services: Services): { stop(): Promise<void> } {
  const { config, log, live } = services
  const { dataDir, secretKey, publicUrl, logLevel, mailFrom, allowPrivate, dnsServers, production } = config
  mkdirSync(join(dataDir, 'journal'), { recursive: true })
  const given: Omit<ThreadData, 'pulse'> = {
    connection: services.connection,
    config: { dataDir, secretKey, publicUrl, logLevel, mailFrom, allowPrivate, dnsServers, production },
    smtpUrl: services.smtpUrl,
    gmail: services.gmail,
    whatsappUrl: services.whatsapp?.baseUrl,
    alone: services.alone,
  }
  let stopping = false
  let worker: Worker
  const enqueue = ({ name, payload }: { name: string; payload: unknown }) => {
    services.queue
      .enqueue(job(name, z.unknown()), payload)
      .catch((error) => log.error({ err: error, job: name }, 'work of the sending thread was not queued'))
  }
  let unwatch = () => {}
  const open = () => {
    const pulse = newPulse()
    const started = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { ...given, pulse } })
    worker = started
    let wasSilent = false
    unwatch = watch(pulse, () => {
      wasSilent = true
      void started.terminate()
    })
    worker.on('error', (error) => log.error({ err: error }, 'the sending thread ended with an error'))
    worker.on('message', enqueue)
    worker.on('exit', () => {
      unwatch()
      if (wasSilent) endSilent(join(dataDir, 'journal'), pulse, log)
      if (!stopping) setTimeout(open, 1_000).unref()
    })
  }
  open()
  const unsubscribe = live.subscribe('sending', (campaignId) => worker.postMessage({ type: 'wake', campaignId }))
  return {
    async stop() {
      stopping = true
      unsubscribe()
      unwatch()
      const gone = once(worker, 'exit')
      worker.postMessage({ type: 'stop' })
      const timer = setTimeout(() => void worker.terminate(), STOP_MS)
      await gone
      clearTimeout(timer)
    },
  }
}

/** What a silent thread was making cannot be made: its claim is settled by the journal, this message as failed. */
function endSilent(folder: string, pulse: Pulse, log: Services['log']): void {
  try {
    const messageId = failHeld(folder, pulse)
    log.error({ messageId }, 'the sending thread gave no sign of life and was ended')
  } catch (error) {
    // Its message goes back to the queue with the others, and the next thread is ended for it again.
    log.error({ err: error }, 'the sending thread gave no sign of life, and its journal cannot be written')
  }
}
