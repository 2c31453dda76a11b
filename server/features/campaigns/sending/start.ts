import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type SenderServices, senderServices } from '#server/features/senders/index.ts'
import type { Connection } from '#server/platform/db/database.ts'
import { SupervisedThread } from '#server/platform/threads/supervised.ts'
import type { Services } from '#server/services.ts'
import { addedChannels, allChannels } from '../channels/index.ts'
import { type FromThread, findLine } from './singles/line.ts'
import {
  addThread,
  FIRST,
  hasRecovered,
  hasThread,
  type LiveThreads,
  newLiveThreads,
  type Place,
  SECOND,
} from './threads/live.ts'
import { SecondThread } from './threads/second.ts'
import { failHeld, newPulse, type Pulse, watch } from './threads/watchdog.ts'

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
  place: Place
  /** Shared by the sending threads and the one that starts them. */
  threads: LiveThreads
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
/** A second thread ends soon: what it does the first one can. */
const SECOND_REST_MS = 10_000
/** How long after a change of a draft the thread waits for it to be sent. */
const DRAFT_MS = 600_000

/**
 * Starts the sending thread when a draft is changed or a campaign or a single email is to be sent, and ends it when there is
 * nothing to send for a while. It is started again should it ever end by itself, or be ended because one message keeps it from everything else.
 * A second one helps it where it has been at its limit for a while. Returns how to stop them.
 */
export function startSending(services: Services): { stop(): Promise<void> } {
  const { live, intervals, config } = services
  const folder = join(config.dataDir, 'journal')
  mkdirSync(folder, { recursive: true })
  // Who edits a draft may send it soon: the thread is there before anybody presses Send.
  let draftedAt = Number.NEGATIVE_INFINITY
  const line = findLine(services)
  const threads = newLiveThreads()
  const load = new SecondThread(config.sendingThreads)
  const open = threadOpener(services, folder, threads)
  const first = open(FIRST, {
    whileNeeded: {
      hasWork: async () =>
        line.isNeeded || performance.now() - draftedAt < DRAFT_MS || (await isSending(services.conditions, folder)),
      pollMs: intervals.newWorkMs,
      restMs: REST_MS,
    },
    onMessage: (message) => line.hear(message),
    onStart(worker) {
      const ends = [line.attach(worker), load.follow(worker)]
      return () => {
        for (const end of ends) end()
      }
    },
  })
  const second = open(SECOND, {
    whileNeeded: {
      hasWork: async () => hasRecovered(threads) && load.isWanted(hasThread(threads, SECOND)),
      pollMs: intervals.newWorkMs,
      restMs: SECOND_REST_MS,
    },
  })
  line.onWanted = () => first.look()
  const tell = (wake: object) => {
    for (const thread of [first, second]) thread.post(wake)
  }
  const subscriptions = [
    live.subscribe('drafts', () => {
      draftedAt = performance.now()
      first.look()
    }),
    live.subscribe('launching', () => first.look()),
    live.subscribe('sending', (campaignId) => {
      // What was a draft is sent: from here on its state says whether the thread is needed.
      draftedAt = Number.NEGATIVE_INFINITY
      tell({ campaignId })
    }),
    live.subscribe('senders', (workspaceId) => tell({ workspaceId })),
  ]
  return {
    async stop() {
      for (const unsubscribe of subscriptions) unsubscribe()
      await Promise.all([first.stop(), second.stop()])
      line.close()
    },
  }
}

/** How the sending threads of a process are opened, each watched and listed among those that live. */
function threadOpener(services: Services, folder: string, threads: LiveThreads) {
  const { config, log } = services
  const { dataDir, secretKey, logLevel } = config
  const shared = {
    connection: services.connection,
    config: { dataDir, secretKey, logLevel },
    senders: senderServices(services),
    ofChannels: Object.fromEntries(allChannels().map(({ id, threadData }) => [id, threadData?.(services)])),
    alone: services.alone,
    pollMs: services.intervals.sendingPollMs,
    threads,
    channels: addedChannels(),
  }
  type Options = ConstructorParameters<typeof SupervisedThread<FromThread>>[1]
  return (place: Place, options: Pick<Options, 'whileNeeded' | 'onMessage' | 'onStart'>) => {
    const pulse = newPulse()
    return new SupervisedThread<FromThread>(services, {
      ...options,
      name: place === FIRST ? 'sending' : 'second sending',
      file: new URL('./thread.ts', import.meta.url),
      workerData: { ...shared, place, pulse } satisfies ThreadData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      stopMs: STOP_MS,
      onStart(worker) {
        pulse.fill(0n)
        const remove = addThread(threads, place, worker.threadId)
        const onGone = options.onStart?.(worker)
        let wasSilent = false
        const unwatch = watch(pulse, () => {
          wasSilent = true
          void worker.terminate()
        })
        return () => {
          unwatch()
          onGone?.()
          if (wasSilent) endSilent(folder, pulse, log)
          // Last: from here on the other thread settles its journals.
          remove()
        }
      },
    })
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
