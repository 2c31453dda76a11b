import { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { deletePages } from './pages-store.ts'
import { deleteResults } from './results-store.ts'

const Removed = z.object({ id: z.string() })
const clearJob = job('collector.clear', Removed)

/** Queues the clearing away of a removed job's pages and results with the transaction it belongs to. */
export function queueClearing(queue: Queue, id: string, db: Db): Promise<void> {
  return queue.enqueue(clearJob, { id }, { key: id, db })
}

/** Clears away what removed jobs left. */
export async function handleJobs({ db, queue }: Services): Promise<void> {
  await queue.handle(clearJob, async ({ id }, signal) => {
    for (const deleteSome of [deleteResults, deletePages]) while (!signal.aborted && (await deleteSome(db, id)) > 0);
    if (signal.aborted) await queue.enqueue(clearJob, { id }, { key: id })
  })
}
