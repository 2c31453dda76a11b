import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type SenderServices, senderServices } from '#server/features/senders/index.ts'
import type { Connection } from '#server/platform/db/database.ts'
import { SupervisedThread } from '#server/platform/threads/supervised.ts'
import type { Services } from '#server/services.ts'
import { addedChannels, allChannels } from '../channels/index.ts'
import { type FromThread, findLine } from './singles/line.ts'
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
/** Three semi-spaces of 8 MiB: a campaign is no slower than with V8's own choice of three of 64 (`npm run bench campaign`). */
const YOUNG_MB = 24
/** Without anything to send for so long, the thread ends: it has 80 MB. */
const REST_MS = 120_000
/** How long after a change of a draft the thread waits for it to be sent. */
const DRAFT_MS = 600_000

/**
 * Starts the sending thread when a draft is changed or a campaign or a single email is to be sent, and ends it when there is
 * nothing to send for a while. It is started again should it ever end by itself, or be ended because one message keeps it from everything else.
 * Returns how to stop it.
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
  // Who edits a draft may send it soon: the thread is there before anybody presses Send.
  let draftedAt = Number.NEGATIVE_INFINITY
  const line = findLine(services)
  const hasWork = async () =>
    line.isNeeded || performance.now() - draftedAt < DRAFT_MS || (await isSending(services.conditions, folder))
  const thread = new SupervisedThread<FromThread>(services, {
    name: 'sending',
    file: new URL('./thread.ts', import.meta.url),
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    whileNeeded: { hasWork, pollMs: services.intervals.newWorkMs, restMs: REST_MS },
    stopMs: STOP_MS,
    onMessage: (message) => line.hear(message),
    onStart(worker) {
      pulse.fill(0n)
      const detach = line.attach(worker)
      let wasSilent = false
      const unwatch = watch(pulse, () => {
        wasSilent = true
        void worker.terminate()
      })
      return () => {
        unwatch()
        detach()
        if (wasSilent) endSilent(folder, pulse, log)
      }
    },
  })
  line.onWanted = () => thread.look()
  const subscriptions = [
    live.subscribe('drafts', () => {
      draftedAt = performance.now()
      thread.look()
    }),
    live.subscribe('launching', () => thread.look()),
    live.subscribe('sending', (campaignId) => {
      // What was a draft is sent: from here on its state says whether the thread is needed.
      draftedAt = Number.NEGATIVE_INFINITY
      thread.post({ campaignId })
    }),
    live.subscribe('senders', (workspaceId) => thread.post({ workspaceId })),
  ]
  return {
    async stop() {
      for (const unsubscribe of subscriptions) unsubscribe()
      await thread.stop()
      line.close()
    },
  }
}

const IS_SENDING = sql<boolean>`(exists (select 1 from campaigns where state = 'sending') or exists (select 1 from claims))`

/** Whether a campaign is being sent, or a process that died left something behind. */
async function isSending(conditions: Services['conditions'], folder: string): Promise<boolean> {
  if (readdirSync(folder).some((name) => name.endsWith('.journal'))) return true
  return conditions.holds(IS_SENDING)
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
