import type { Services } from '#server/services.ts'
import { readMailboxes } from './mailbox/reading.ts'
import { ReportReader } from './reports.ts'
import { deleteOldEvents, isAnyMailboxDue } from './store.ts'

/** Days in which a service may repeat an event. */
const RETAINED_DAYS = 90

/** Reads mailboxes, and forgets events that are too old to come again. */
export async function handleJobs(services: Services): Promise<void> {
  const { queue, intervals, db } = services
  await queue.every({
    name: 'bounces.forget-events',
    per: 'database',
    intervalMs: intervals.oldBounceEventsMs,
    run: () => deleteOldEvents(db, RETAINED_DAYS),
  })
  if (!queue.works) return
  const reader = new ReportReader()
  await queue.every({
    name: 'bounces.read-mailboxes',
    per: 'process',
    intervalMs: intervals.dueMailboxesMs,
    isDue: isAnyMailboxDue,
    run: (signal) => readMailboxes(services, { reader, intervalMs: intervals.dueMailboxesMs }, signal),
  })
}
