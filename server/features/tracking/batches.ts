import type { Log } from '#server/platform/log.ts'

const BATCH = 2_000
// Those who wait for a commit; beyond it nothing more is taken, so that memory stays bounded.
const WAITING = 25_000
const TRIES = 4
// After a batch of this size more are coming: a moment's wait makes the next batch larger, and so all of them cheaper.
const BUSY = 16
const GATHER_MS = 2

interface WaitingItem<Item, Result> {
  item: Item
  resolve: (result: Result | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Group commit: what comes while one batch is being written is the next batch, one call of `keep` each, so that the busier
 * it is the less an item costs. `keep` returns results by position; a failure is tried again a few times.
 */
export function createBatches<Item, Result>(
  keep: (items: Item[]) => Promise<Map<number, Result>>,
  log: Pick<Log, 'error' | 'warn'>,
) {
  let waiting: WaitingItem<Item, Result>[] = []
  let running: Promise<void> | undefined
  let refused = 0

  async function write(batch: WaitingItem<Item, Result>[]): Promise<void> {
    const items = batch.map(({ item }) => item)
    for (let attempt = 1; ; attempt++) {
      try {
        const results = await keep(items)
        for (const [n, { resolve }] of batch.entries()) resolve(results.get(n))
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
    // What the other connections have for us in this turn of the loop goes into the first batch too.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.length <= BATCH ? waiting : waiting.slice(0, BATCH)
      waiting = waiting.length <= BATCH ? [] : waiting.slice(BATCH)
      await write(batch)
      if (batch.length >= BUSY) await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
    }
    if (refused > 0)
      log.warn({ events: refused }, 'more opens and clicks at once than can be kept; the readers were served')
    refused = 0
    running = undefined
  }

  return {
    /** Resolves once the item is durable, with what `keep` had to say about it; 'refused' when too many wait. */
    add(item: Item): Promise<Result | undefined | 'refused'> {
      if (waiting.length >= WAITING) {
        refused++
        return Promise.resolve('refused')
      }
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        running ??= run()
      })
    },
    /** Resolves when nothing waits any more. */
    idle: async () => running,
  }
}
