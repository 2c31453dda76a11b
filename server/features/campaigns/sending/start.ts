import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type SenderServices, senderServices } from '#server/features/senders/index.ts'
import type { Connection } from '#server/platform/db/database.ts'
import { SupervisedThread } from '#server/platform/threads/supervised.ts'
import type { Services } from '#server/services.ts'
import { addedChannels, allChannels } from '../channels/index.ts'
import { failHeld, newPulse, type Pulse, watch } from './watchdog.ts'

/** What the sending thread is given: plain data, because it crosses to another thread. */
export interface ThreadData {
  connection: Connection
  config: Pick<Services['config'], 'dataDir' | 'secretKey' | 'logLevel'>
  senders: SenderServices
  /** What channels need there, by channel. */
  ofChannels: Readonly<Record<string, unknown>>
  /** No other process can be sending (embedded database): what is left of a crash is settled at once. */
  alone: boolean
  pollMs: number
  /** Modules of channels beside those of the product. */
  channels: readonly string[]
  /** Shared with the thread that watches. */
  pulse: Pulse
}

/** What is looked at before its time: one campaign, or all that wait in a workspace. */
export type Wake = { campaignId: string } | { workspaceId: string }

const STOP_MS = 25_000

/**
 * Starts the sending thread with the first campaign. It is started again should it ever end by itself, or be ended because
 * one message keeps it from everything else. Returns how to stop it.
 */
export function startSending(services: Services): { stop(): Promise<void> } {
  const { config, log, live } = services
  const { dataDir, secretKey, logLevel } = config
  const folder = join(dataDir, 'journal')
  mkdirSync(folder, { recursive: true })
  const pulse = newPulse()
  const workerData: ThreadData = {
    connection: services.connection,
    config: { dataDir, secretKey, logLevel },
    senders: senderServices(services),
    ofChannels: Object.fromEntries(allChannels().map(({ id, threadData }) => [id, threadData?.(services)])),
    alone: services.alone,
    pollMs: services.intervals.sendingPollMs,
    pulse,
    channels: addedChannels(),
  }
  const thread = new SupervisedThread(services, {
    name: 'sending',
    file: new URL('./thread.ts', import.meta.url),
    workerData,
    startsWith: { hasWork: () => hasWork(services.db, folder), pollMs: services.intervals.sendingPollMs },
    stopMs: STOP_MS,
    onStart(worker) {
      pulse.fill(0n)
      let wasSilent = false
      const unwatch = watch(pulse, () => {
        wasSilent = true
        void worker.terminate()
      })
      return () => {
        unwatch()
        if (wasSilent) endSilent(folder, pulse, log)
      }
    },
  })
  const subscriptions = [
    live.subscribe('sending', (campaignId) => thread.post({ campaignId })),
    live.subscribe('senders', (workspaceId) => thread.post({ workspaceId })),
  ]
  return {
    async stop() {
      for (const unsubscribe of subscriptions) unsubscribe()
      await thread.stop()
    },
  }
}

/**
 * Whether this installation has a campaign, a draft included: from then on the thread waits for it to be sent. What a
 * process that died left behind is work too.
 */
async function hasWork(db: Services['db'], folder: string): Promise<boolean> {
  if (readdirSync(folder).some((name) => name.endsWith('.journal'))) return true
  const { rows } = await sql<{ hasWork: boolean }>`
    select exists (select from campaigns) or exists (select from claims) as has_work`.execute(db)
  return rows[0]?.hasWork ?? false
}

/** What a silent thread was making cannot be made: its claim is settled by the journal, this message as failed. */
function endSilent(folder: string, pulse: Pulse, log: Services['log']): void {
  try {
    const messageId = failHeld(folder, pulse)
    log.error({ messageId }, 'the sending thread did not respond and was terminated')
  } catch (error) {
    // Its message goes back to the queue with the others, and the next thread is ended for it again.
    log.error({ err: error }, 'the sending thread gave no sign of life, and its journal cannot be written')
  }
}
