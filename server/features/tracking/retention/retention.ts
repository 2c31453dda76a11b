/** Old events are merged, so that they take less room and tell less of their readers, while every count stays as it is. */
import type { Db } from '#server/platform/db/database.ts'
import { findOldMessages, mergeEvents, type RetentionPlace, readPlace, savePlace } from './retention-store.ts'

/** The beginning of the month (UTC) before which events are merged. */
export const findCutoff = (now: Date, months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))

/** Rows of events that were merged, and how many they have become. */
export interface RetentionSummary {
  before: number
  after: number
}

/**
 * Merges the events that are older than so many whole months, a few thousand a transaction. A month is merged once. What is
 * interrupted, by `signal` or a crash, is resumed by the next run. Throws where a merge would change a count; then nothing of that
 * transaction is stored.
 */
export async function mergeOldEvents(db: Db, months: number, signal?: AbortSignal): Promise<RetentionSummary> {
  const cutoff = findCutoff(new Date(), months).toISOString()
  const summary: RetentionSummary = { before: 0, after: 0 }
  const last = await readPlace(db)
  if (last?.isDone && last.cutoff >= cutoff) return summary
  let place: RetentionPlace =
    last?.isDone === false && last.cutoff === cutoff ? last : { cutoff, workspaceId: '0', id: '0', isDone: false }
  while (!place.isDone && !signal?.aborted) place = await mergeSlice(db, place, summary)
  return summary
}

/** Merges the next events; returns the place after them. */
function mergeSlice(db: Db, place: RetentionPlace, summary: RetentionSummary): Promise<RetentionPlace> {
  const write = async (db: Db) => {
    const found = await findOldMessages(db, place)
    const { workspaceId = place.workspaceId, id = place.id, messageIds = [] } = found ?? {}
    const next = { cutoff: place.cutoff, workspaceId, id, isDone: found === undefined }
    await savePlace(db, next)
    if (messageIds.length === 0) return { next }
    const merged = await mergeEvents(db, workspaceId, messageIds, place.cutoff)
    if (merged.requestsBefore !== merged.requestsAfter)
      throw new Error(`merging events would make ${merged.requestsAfter} requests of ${merged.requestsBefore}`)
    return { next, merged }
  }
  return db
    .transaction()
    .execute(write)
    .then(({ next, merged }) => {
      summary.before += merged?.before ?? 0
      summary.after += merged?.after ?? 0
      return next
    })
}
