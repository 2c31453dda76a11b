/** Counts messages whose events changed, batch by batch, beside everything that reads and writes events. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { foldOutcomes, lockRollups, markedWorkspaces, type RolledBatch, rollBatch } from './rollups-store.ts'

const WORKSPACES_AT_ONCE = 1_000
const NOTHING: RolledBatch = { messages: 0, isFull: false }

/** The next batch of a workspace in a transaction of its own; none while another process counts it, unless it `waits`. */
const rollNext = (db: Db, workspaceId: string, waits: boolean): Promise<RolledBatch> =>
  db.transaction().execute(async (db) => {
    if (!(await lockRollups(db, workspaceId, waits))) return NOTHING
    const isMore = await foldOutcomes(db, workspaceId)
    const { messages, isFull } = await rollBatch(db, workspaceId)
    return { messages, isFull: isFull || isMore }
  })

/** Counts whatever changed in a workspace. Returns how many messages that were. */
export async function rollWorkspace(db: Db, workspaceId: string, signal?: AbortSignal): Promise<number> {
  let counted = 0
  for (let isFull = true; isFull && !signal?.aborted; ) {
    const batch = await rollNext(db, workspaceId, true)
    counted += batch.messages
    isFull = batch.isFull
  }
  return counted
}

/**
 * Counts what changed in every workspace, a batch of each in turn, in half of the time while there is much: the other half of a core is for
 * those who open and send. What another process counts at this moment is left to it.
 */
export async function rollAll(db: Db, signal?: AbortSignal): Promise<void> {
  for (let after: string | undefined = '0'; after !== undefined && !signal?.aborted; ) {
    const found: string[] = await markedWorkspaces(db, after, WORKSPACES_AT_ONCE)
    after = found.at(-1)
    for (let left = found; left.length > 0; ) {
      const more: string[] = []
      for (const workspaceId of left) {
        if (signal?.aborted) return
        const began = performance.now()
        const { isFull } = await rollNext(db, workspaceId, false)
        if (!isFull) continue
        more.push(workspaceId)
        await wait(performance.now() - began, undefined, { ref: false, signal }).catch(() => undefined)
      }
      left = more
    }
  }
}
