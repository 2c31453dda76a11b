import { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { deletePages } from './pages-store.ts'
import { deleteResults } from './results/results-store.ts'
import { finishedBefore } from './store.ts'

const Removed = z.object({ workspaceId: z.string(), id: z.string() })
const clearJob = job('collector.clear', Removed)

/** Queues the clearing away of a removed job's pages and results with the transaction it belongs to. */
export function queueClearing(queue: Queue, workspaceId: string, id: string, db: Db): Promise<void> {
  return queue.enqueue(clearJob, { workspaceId, id }, { key: id, db })
}

/** What a job knew of a site is of no use once it ended; why pages were not read can be asked for as long as the job is there. */
const RETENTION_DAYS = 30

/** Forgets the pages that jobs read long ago. */
async function forgetPages(db: Db): Promise<void> {
  for (const { workspaceId, id } of await finishedBefore(db, RETENTION_DAYS))
    while ((await deletePages(db, workspaceId, id, true)) > 0);
}

/** Clears away what removed jobs left, and hourly what long finished ones no longer need. */
export async function handleJobs({ db, queue, intervals }: Services): Promise<void> {
  await queue.handle(clearJob, async ({ workspaceId, id }, signal) => {
    for (const deleteSome of [deleteResults, deletePages])
      while (!signal.aborted && (await deleteSome(db, workspaceId, id)) > 0);
    if (signal.aborted) await queue.enqueue(clearJob, { workspaceId, id }, { key: id })
  })
  await queue.every({
    name: 'collector.delete-old-pages',
    per: 'process',
    intervalMs: intervals.oldCrawlPagesMs,
    run: () => forgetPages(db),
  })
}
