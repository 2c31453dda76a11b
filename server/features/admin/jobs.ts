import { z } from 'zod'
import { deleteOldMessages } from '#server/features/site/index.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { deleteOlder } from './audit-store.ts'

/** How long a line of the audit log, or a message of the contact form, is kept: a year, and the weeks in which one asks about it. */
const KEPT_DAYS = 400
const PORTION = 5_000
const AT_HOUR_UTC = 3

const clearAudit = job('admin.clear-audit', z.object({}))

function nextNight(now = new Date()): Date {
  const night = new Date(now)
  night.setUTCHours(AT_HOUR_UTC, 0, 0, 0)
  if (night <= now) night.setUTCDate(night.getUTCDate() + 1)
  return night
}

/** Removes old lines of the audit log and old messages every night. The next night is queued before the work, so that a failure breaks no chain. */
export async function handleJobs({ db, queue }: Services): Promise<void> {
  const queueNext = () => queue.enqueue(clearAudit, {}, { at: nextNight(), key: 'nightly' })
  await queue.handle(clearAudit, async (_, signal) => {
    await queueNext()
    while (!signal.aborted && (await deleteOlder(db, KEPT_DAYS, PORTION)) > 0);
    while (!signal.aborted && (await deleteOldMessages(db, KEPT_DAYS, PORTION)) > 0);
  })
  await queueNext()
}
