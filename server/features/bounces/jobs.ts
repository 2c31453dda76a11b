import type { Services } from '#server/services.ts'
import { deleteOldEvents } from './store.ts'

/** Days in which a service may repeat an event. */
const RETAINED_DAYS = 90

/** Forgets events that are too old to come again. */
export async function handleJobs({ queue, intervals, db }: Services): Promise<void> {
  await queue.every({
    name: 'bounces.forget-events',
    per: 'database',
    intervalMs: intervals.oldBounceEventsMs,
    run: () => deleteOldEvents(db, RETAINED_DAYS),
  })
}
