import { sql } from 'kysely'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { replyToMessage } from './automations/reply.ts'
import { automaticReplyJob, queueTemplates, queueWebhookEvents, templatesJob, webhookEventsJob } from './queues.ts'
import { isAnyStale, takeStale } from './templates/store.ts'
import { syncTemplates } from './templates/templates.ts'
import { deleteOldEvents, isAnyLeft, waitingAccounts } from './webhook/store.ts'
import { processEvents } from './webhook/work.ts'

/** Works on webhooks; takes up those whose worker died and deletes old ones. */
export async function handleJobs(services: Services): Promise<void> {
  const { db, queue } = services
  await queue.handle(
    webhookEventsJob,
    ({ workspaceId, accountId }, signal) => processEvents(services, workspaceId, accountId, signal),
    2,
  )
  await queue.handle(automaticReplyJob, (given) => replyToMessage(services, given), 4)
  await queue.handle(templatesJob, async ({ workspaceId, accountId }) => {
    // What Meta refuses is refused again; the page has a button to ask anew.
    await syncTemplates(services, workspaceId, accountId).catch((error) => {
      if (!(error instanceof Refusal) || error.status >= 500) throw error
    })
  })
  await queue.every({
    name: 'whatsapp.take-up-webhooks',
    per: 'process',
    intervalMs: services.intervals.lostWebhooksMs,
    isDue: sql<boolean>`(${isAnyLeft} or ${isAnyStale})`,
    async run() {
      for (const { workspaceId, accountId } of await waitingAccounts(db))
        await queueWebhookEvents(queue, workspaceId, accountId)
      for (const { workspaceId, id } of await takeStale(db)) await queueTemplates(queue, workspaceId, id)
      await deleteOldEvents(db)
    },
  })
}
