import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { Kept, NewEvent } from './events-store.ts'
import { judgeAgain, keepEvents } from './judge.ts'

const BATCH = 2_000
// Requests that wait for their commit; beyond it readers are served and the event is let go, so that memory stays bounded.
const WAITING = 50_000
const TRIES = 4
const EARLY_LOOK_MS = 2_000

interface Waiting {
  event: NewEvent
  resolve: (kept: Kept | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Group commit: events that come while one batch is being written are the next batch, one INSERT each, so that the
 * busier it is the less an event costs. record() resolves after the commit, with what the database knew of the event.
 */
export function createWriter(db: Db, log: Pick<Log, 'error' | 'warn'>) {
  let waiting: Waiting[] = []
  let running: Promise<void> | undefined
  let letGo = 0
  const early = new Set<string>()
  let earlyTimer: NodeJS.Timeout | undefined

  async function write(batch: Waiting[]): Promise<void> {
    const events = batch.map(({ event }) => event)
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await keepEvents(db, events)
        for (const id of result.early) lookLater(id)
        batch.forEach(({ resolve }, n) => resolve(result.kept.get(n)))
        return
      } catch (error) {
        if (attempt === TRIES) {
          log.error({ err: error, events: batch.length }, 'opens and clicks could not be written')
          for (const { reject } of batch) reject(error)
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 100 * 4 ** (attempt - 1)))
      }
    }
  }

  async function run(): Promise<void> {
    // Whatever the other connections have for us in this turn of the loop goes into the first batch too.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.length <= BATCH ? waiting : waiting.slice(0, BATCH)
      waiting = waiting.length <= BATCH ? [] : waiting.slice(BATCH)
      await write(batch)
    }
    if (letGo > 0) log.warn({ events: letGo }, 'more opens and clicks at once than can be kept; the readers were served')
    letGo = 0
    running = undefined
  }

  /** Acceptance is written in batches too: whether a request came before it is known a little later. */
  function lookLater(messageId: string): void {
    early.add(messageId)
    earlyTimer ??= setTimeout(() => void settleEarly().catch((error) => log.error({ err: error }, 'early opens and clicks could not be judged')), EARLY_LOOK_MS).unref()
  }

  async function settleEarly(): Promise<void> {
    clearTimeout(earlyTimer)
    earlyTimer = undefined
    const ids = [...early].slice(0, BATCH)
    for (const id of ids) early.delete(id)
    if (ids.length === 0) return
    const underWay = await judgeAgain(db, ids, 'before_acceptance')
    for (const id of [...early, ...underWay]) lookLater(id)
  }

  return {
    /** Resolves once the event is durable; undefined: there is nothing to say about it. Rejects when the database is lost. */
    record(event: NewEvent): Promise<Kept | undefined | 'let go'> {
      if (waiting.length >= WAITING) {
        letGo++
        return Promise.resolve('let go')
      }
      return new Promise((resolve, reject) => {
        waiting.push({ event, resolve, reject })
        running ??= run()
      })
    },
    /** Writes what is waiting. */
    async close(): Promise<void> {
      await running
      await settleEarly()
      clearTimeout(earlyTimer)
    },
  }
}

export type EventWriter = ReturnType<typeof createWriter>
