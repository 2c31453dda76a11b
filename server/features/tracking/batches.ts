import type { Log } from '#server/platform/log.ts'

const BATCH = 2_000
// Those who wait for a commit; beyond it nothing more is taken, so that memory stays bounded.
const WAITING = 25_000
const TRIES = 4
// One batch is put together while the other waits for its commit.
const LANES = 2
// After a batch of this size more are coming: a moment's wait makes the next batch larger, and so all of them cheaper.
const BUSY = 16
const GATHER_MS = 1

interface WaitingItem<Item, Result> {
  item: Item
  resolve: (result: Result | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Group commit: what comes while batches are being written is the next batch, one call of `keep` each, so that the busier
 * it is the less an item costs. Two are written at once. `keep` returns results by position; a failure is tried again a few times.
 */
export function createBatches<Item, Result>(
  keep: (items: Item[]) => Promise<Map<number, Result>>,
  log: Pick<Log, 'error' | 'warn'>,
) {
  let waiting: WaitingItem<Item, Result>[] = []
  const lanes = new Set<Promise<void>>()
  /** Lanes that still look for what waits. */
  let open = 0
  /** Until it resolves what comes is gathered, and no further batch begins. */
  let gathering: Promise<void> | undefined
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

  /** Writes batches until nothing waits. */
  async function run(): Promise<void> {
    for (;;) {
      // What the other connections have for us in this turn of the loop goes into the first batch too.
      gathering ??= new Promise((resolve) => setImmediate(resolve))
      const gathered = gathering
      await gathered
      if (gathering === gathered) gathering = undefined
      if (waiting.length === 0) break
      const batch = waiting.length <= BATCH ? waiting : waiting.slice(0, BATCH)
      waiting = waiting.length <= BATCH ? [] : waiting.slice(BATCH)
      if (batch.length >= BUSY) gathering = new Promise((resolve) => setTimeout(resolve, GATHER_MS))
      await write(batch)
    }
    // In the same moment in which nothing waited: who comes next opens a lane again.
    open--
    if (refused > 0)
      log.warn({ events: refused }, 'more opens and clicks at once than can be kept; the readers were served')
    refused = 0
  }

  function openLane(): void {
    if (open >= LANES) return
    open++
    const lane = run().finally(() => lanes.delete(lane))
    lanes.add(lane)
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
        openLane()
      })
    },
    /** Resolves when nothing waits any more. */
    idle: async () => void (await Promise.all(lanes)),
  }
}
