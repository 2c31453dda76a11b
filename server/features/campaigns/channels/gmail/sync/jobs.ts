import type { Services } from '#server/services.ts'
import { isAnyDue, syncMailboxes } from './sync.ts'

/** Looks for replies to Gmail campaigns and for bounces. */
export async function handleGmailJobs(services: Services): Promise<void> {
  await services.queue.every({
    name: 'campaigns.read-mailboxes',
    per: 'process',
    intervalMs: services.intervals.dueMailboxesMs,
    isDue: isAnyDue,
    run: () => syncMailboxes(services),
  })
}
