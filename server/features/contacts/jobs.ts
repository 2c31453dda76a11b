import { z } from 'zod'
import { BULK_UNDO_HOURS } from '#contracts/contacts/bulk.ts'
import { UNDO_DAYS } from '#contracts/contacts/merges.ts'
import { noteContacts } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { handleBulk } from './bulk/bulk.ts'
import { forgetChanges } from './bulk/bulk-store.ts'
import { deleteOld, takeUpHanded } from './confirmations/confirmations-store.ts'
import { ConfirmationSending, isAnyToSend } from './confirmations/sending.ts'
import { handleErasure } from './erasure/erasure.ts'
import { deleteOld as deleteOldEvents } from './events/events-store.ts'
import { clearValues } from './fields/fields-store.ts'
import { deleteForgotten } from './imports/files-store.ts'
import { runImport } from './imports/import-start.ts'
import { importById, isAnyLeftBehind, leftBehind } from './imports/imports-store.ts'
import { sweepUploads } from './imports/upload.ts'
import { clearMembers } from './lists/lists.ts'
import { forgetMerges } from './merging/merges-store.ts'
import { handlePreferenceEmails } from './preferences/requests.ts'
import { tagClicks } from './tags/click-tags.ts'
import { isAnyTagging } from './tags/click-tags-store.ts'
import { clearTagged } from './tags/tags-store.ts'

const Owned = z.object({ workspaceId: z.string(), id: z.string() })
/** For so long it is stored who changed many contacts, and how. */
const CHANGE_DAYS = 90
/** The longest an import may take before the queue gives it to another worker; its progress is its own. */
const importJob = job('contacts.import', Owned, { retries: 20, expireSeconds: 23 * 3_600 })
const clearJob = job('contacts.clear-list', Owned)
const clearTagJob = job('contacts.clear-tag', Owned)
const clearFieldJob = job('contacts.clear-field', Owned)

const AT_ONCE = 2
/** A portion takes a second at most: an import without a sign of life for this long has lost its worker. */
const LOST_AFTER_SECONDS = 30

/** Queues an import with the transaction it belongs to. */
export function queueImport(queue: Queue, workspaceId: string, id: string, db?: Db): Promise<void> {
  return queue.enqueue(importJob, { workspaceId, id }, { key: id, ...(db && { db }) })
}

/** Queues the clearing away of a removed list's memberships with the transaction it belongs to. */
export function queueClearing(queue: Queue, workspaceId: string, id: string, db: Db): Promise<void> {
  return queue.enqueue(clearJob, { workspaceId, id }, { key: id, db })
}

/** Queues the clearing away of a removed tag with the transaction it belongs to. */
export function queueClearingTag(queue: Queue, workspaceId: string, id: string, db: Db): Promise<void> {
  return queue.enqueue(clearTagJob, { workspaceId, id }, { key: id, db })
}

/** Queues the clearing away of a removed field's values with the transaction it belongs to. */
export function queueClearingField(queue: Queue, workspaceId: string, id: string, db: Db): Promise<void> {
  return queue.enqueue(clearFieldJob, { workspaceId, id }, { key: id, db })
}

async function takeUp(services: Services, seconds: number): Promise<void> {
  for (const lost of await leftBehind(services.db, seconds))
    await queueImport(services.queue, lost.workspaceId, lost.id)
}

/** Handles imports, takes up those whose process died, and sends confirmation emails as long as there are members to ask. */
export async function handleJobs(services: Services): Promise<void> {
  const { db, queue, config, intervals } = services
  await handleErasure(services)
  await handleBulk(services)
  await handlePreferenceEmails(services)
  await queue.handle(
    importJob,
    async ({ workspaceId, id }, signal) => {
      await runImport(services, workspaceId, id, signal)
      // It has a thread of its own, which tells nobody anything.
      const row = await importById(db, workspaceId, id)
      if (row?.state === 'done' && !row.suppress) await noteContacts(services, db, workspaceId, Number(row.imported))
    },
    AT_ONCE,
  )
  for (const [clearing, clear] of [
    [clearJob, clearMembers],
    [clearTagJob, clearTagged],
  ] as const)
    await queue.handle(clearing, async ({ workspaceId, id }, signal) => {
      while (!signal.aborted && (await clear(db, workspaceId, id)) > 0);
      if (signal.aborted) await queue.enqueue(clearing, { workspaceId, id }, { key: id })
    })
  await queue.handle(clearFieldJob, async ({ workspaceId, id }, signal) => {
    let after: string | undefined = '0'
    while (after !== undefined && !signal.aborted) after = await clearValues(db, workspaceId, id, after)
    if (signal.aborted) await queue.enqueue(clearFieldJob, { workspaceId, id }, { key: id })
  })
  if (!queue.works) return
  // The embedded database has one process: whatever it finds unfinished at its start was left behind.
  await takeUp(services, services.alone ? -1 : LOST_AFTER_SECONDS)
  await sweepUploads(config.dataDir)
  await deleteForgotten(db)
  await queue.every({
    name: 'contacts.take-up-imports',
    per: 'process',
    intervalMs: intervals.lostImportsMs,
    isDue: isAnyLeftBehind(LOST_AFTER_SECONDS),
    run: () => takeUp(services, LOST_AFTER_SECONDS),
  })
  await queue.every({
    name: 'contacts.forget-merges',
    per: 'database',
    intervalMs: intervals.oldMergesMs,
    run: () => forgetMerges(db, UNDO_DAYS),
  })
  await queue.every({
    name: 'contacts.forget-bulk-changes',
    per: 'database',
    intervalMs: intervals.oldBulkChangesMs,
    run: () => forgetChanges(db, { undoHours: BULK_UNDO_HOURS, days: CHANGE_DAYS }),
  })
  await queue.every({
    name: 'contacts.forget-events',
    per: 'database',
    intervalMs: intervals.oldContactEventsMs,
    run: () => deleteOldEvents(db),
  })
  await queue.every({
    name: 'contacts.tag-clicks',
    per: 'database',
    intervalMs: intervals.clickTagsMs,
    isDue: isAnyTagging,
    run: (signal) => tagClicks(services, signal),
  })
  await handleConfirmationEmails(services)
}

/** No mail server keeps anybody waiting for so long: what is still being handed over then has lost its process. */
const LOST_EMAIL_SECONDS = 900
const OLD_AT_ONCE = 2_000

async function handleConfirmationEmails(services: Services): Promise<void> {
  const { db, queue, intervals } = services
  await takeUpHanded(db, services.alone ? -1 : LOST_EMAIL_SECONDS)
  const sending = new ConfirmationSending(services)
  await queue.every({
    name: 'contacts.send-confirmations',
    per: 'process',
    intervalMs: intervals.confirmationEmailsMs,
    isDue: isAnyToSend,
    run: (signal) => sending.look(signal),
  })
  await queue.every({
    name: 'contacts.old-confirmations',
    per: 'database',
    intervalMs: intervals.oldConfirmationsMs,
    async run(signal) {
      await takeUpHanded(db, LOST_EMAIL_SECONDS)
      while (!signal.aborted && (await deleteOld(db, OLD_AT_ONCE)) > 0);
    },
  })
}
