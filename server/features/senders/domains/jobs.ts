import pLimit from 'p-limit'
import type { Services } from '#server/services.ts'
import { checkDomain } from './check.ts'
import { deleteOldReports } from './dmarc/store.ts'
import { isAnyDue, takeDue } from './store.ts'

/** Days after which a DMARC report is deleted. */
const RETAINED_DAYS = 180
/** Domains of one run, and how many are looked up at once. */
const BATCH_SIZE = 20
const MAX_CONCURRENT = 4
/** A run that died leaves its domains to the next one after this time. */
const LEASE_SECONDS = 300

/** Looks up the domains whose check is due, each at growing intervals, and forgets old DMARC reports. */
export async function handleDomainChecks(services: Services): Promise<void> {
  const { queue, intervals, db, log } = services
  await queue.every({
    name: 'senders.forget-dmarc-reports',
    per: 'database',
    intervalMs: intervals.oldBounceEventsMs,
    run: () => deleteOldReports(db, RETAINED_DAYS),
  })
  if (!queue.works) return
  await queue.every({
    name: 'senders.check-domains',
    per: 'process',
    intervalMs: intervals.domainChecksMs,
    isDue: isAnyDue,
    async run(signal) {
      const inTurn = pLimit(MAX_CONCURRENT)
      const due = await takeDue(db, BATCH_SIZE, LEASE_SECONDS)
      const check = async (row: (typeof due)[number]) => {
        if (signal.aborted) return
        await checkDomain(services, row).catch((error) => log.error({ err: error }, 'a domain could not be checked'))
      }
      await Promise.all(due.map((row) => inTurn(() => check(row))))
    },
  })
}
