import { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { clearPeople } from './clearing.ts'
import { runJourneys } from './runner.ts'
import { isAnyActive, isAnyDue } from './store.ts'
import { Triggers } from './triggers/triggers.ts'

const clearJob = job('journeys.clear', z.object({ workspaceId: z.string(), id: z.string() }))

/** Queues that those leave a journey who have nowhere to go, with the transaction that decided it. */
export function queueClearing(queue: Pick<Queue, 'enqueue'>, workspaceId: string, id: string, db: Db): Promise<void> {
  return queue.enqueue(clearJob, { workspaceId, id }, { key: id, db })
}

/** Takes contacts through active journeys, and those out who have nowhere to go. */
export async function handleJobs(services: Services): Promise<void> {
  const { db, queue, intervals } = services
  await queue.handle(clearJob, async ({ workspaceId, id }, signal) => {
    while (!signal.aborted && (await clearPeople(db, workspaceId, id)) > 0);
    if (signal.aborted) await queue.enqueue(clearJob, { workspaceId, id }, { key: id })
  })
  await queue.every({
    name: 'journeys.run',
    per: 'process',
    intervalMs: intervals.journeysMs,
    isDue: isAnyDue,
    run: (signal) => runJourneys(services, signal),
  })
  const triggers = new Triggers(services)
  await queue.every({
    name: 'journeys.triggers',
    per: 'process',
    intervalMs: intervals.journeyTriggersMs,
    isDue: isAnyActive,
    run: (signal) => triggers.look(signal),
  })
}
