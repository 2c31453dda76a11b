import { deleteOldMessages } from '#server/features/site/index.ts'
import { deleteOldAudit } from '#server/platform/audit.ts'
import type { Services } from '#server/services.ts'

/** How long a line of the audit log, or a message of the contact form, is retained: a year, and the weeks in which one asks about it. */
const RETENTION_DAYS = 400
const PORTION = 5_000
const AT_HOUR_UTC = 3

function untilNight(now = new Date()): number {
  const night = new Date(now)
  night.setUTCHours(AT_HOUR_UTC, 0, 0, 0)
  if (night <= now) night.setUTCDate(night.getUTCDate() + 1)
  return night.getTime() - now.getTime()
}

/** Removes old lines of the audit log and old messages every night. */
export async function handleJobs({ db, queue }: Services): Promise<void> {
  await queue.every({
    name: 'admin.clear-audit',
    per: 'database',
    intervalMs: untilNight,
    async run(signal) {
      while (!signal.aborted && (await deleteOldAudit(db, RETENTION_DAYS, PORTION)) > 0);
      while (!signal.aborted && (await deleteOldMessages(db, RETENTION_DAYS, PORTION)) > 0);
    },
  })
}
