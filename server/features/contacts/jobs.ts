import { z } from 'zod'
import { noteContacts } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { askSome } from './confirmations.ts'
import { handleErasure } from './erasure.ts'
import { runImport } from './import-start.ts'
import { filesInUse, importById, leftBehind } from './imports-store.ts'
import { handleConfirmations } from './joining.ts'
import { clearMembers } from './lists.ts'
import { sweepUploads } from './upload.ts'

const Owned = z.object({ workspaceId: z.string(), id: z.string() })
/** The longest an import may take before the queue gives it to another worker; its progress is its own. */
const importJob = job('contacts.import', Owned, { retries: 20, expireSeconds: 23 * 3_600 })
const clearJob = job('contacts.clear-list', Owned)

const AT_ONCE = 2
const LOOK_EVERY_MS = 10_000
const ASK_EVERY_MS = 1_000
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

async function takeUp(services: Services, seconds: number): Promise<void> {
  for (const lost of await leftBehind(services.db, seconds))
    await queueImport(services.queue, lost.workspaceId, lost.id)
}

/** Handles imports; takes up those whose process died. Answers how to stop looking for them. */
export async function handleJobs(services: Services, works: boolean): Promise<() => void> {
  const { db, queue, config, log } = services
  await handleConfirmations(services)
  await handleErasure(services)
  await queue.handle(
    importJob,
    async ({ workspaceId, id }, signal) => {
      await runImport(services, workspaceId, id, signal)
      // It has a thread of its own, which tells nobody anything.
      const row = await importById(db, workspaceId, id)
      if (row?.state === 'done') await noteContacts(services, db, workspaceId, Number(row.imported))
    },
    AT_ONCE,
  )
  await queue.handle(clearJob, async ({ workspaceId, id }, signal) => {
    while (!signal.aborted && (await clearMembers(db, workspaceId, id)) > 0);
    if (signal.aborted) await queue.enqueue(clearJob, { workspaceId, id }, { key: id })
  })
  if (!works) return () => undefined
  // The embedded database has one process: whatever it finds unfinished at its start was left behind.
  await takeUp(services, services.alone ? -1 : LOST_AFTER_SECONDS)
  await sweepUploads(config.dataDir, await filesInUse(db))
  const clock = setInterval(() => {
    takeUp(services, LOST_AFTER_SECONDS).catch((error) =>
      log.error({ err: error }, 'looking for imports left behind failed'),
    )
  }, LOOK_EVERY_MS)
  clock.unref()
  const stopAsking = startAsking(services)
  return () => {
    clearInterval(clock)
    stopAsking()
  }
}

/** Sends confirmation emails as long as there are members to ask. Answers how to stop. */
function startAsking(services: Services): () => void {
  let busy = false
  let after = '0'
  const look = async () => {
    if (busy) return
    busy = true
    try {
      after = await askSome(services, after)
    } catch (error) {
      services.log.error({ err: error }, 'asking members to confirm failed')
    } finally {
      busy = false
    }
  }
  const clock = setInterval(look, ASK_EVERY_MS)
  clock.unref()
  return () => clearInterval(clock)
}
