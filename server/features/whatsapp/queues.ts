import { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'

const Account = z.object({ workspaceId: z.string(), accountId: z.string() })
const AutomaticReply = z.object({
  workspaceId: z.string(),
  conversationId: z.string(),
  messageId: z.string(),
  wish: z.enum(['stop', 'start']).nullable(),
})

/** Webhooks of one number wait to be worked on. */
export const webhookEventsJob = job('whatsapp.webhook-events', Account, { retries: 20, expireSeconds: 300 })
/** A person wrote: something may answer by itself. */
export const automaticReplyJob = job('whatsapp.answer', AutomaticReply, { retries: 3, expireSeconds: 120 })
/** Templates of a number's business account are read from Meta. */
export const templatesJob = job('whatsapp.templates', Account, { retries: 5, expireSeconds: 300 })

/** Queues the work on a number's webhooks with the transaction that stored them. One waiting job is enough for all of them. */
export function queueWebhookEvents(queue: Queue, workspaceId: string, accountId: string, db?: Db): Promise<void> {
  return queue.enqueue(webhookEventsJob, { workspaceId, accountId }, { key: accountId, ...(db && { db }) })
}

/** Queues the automatic reply to a person's message with the transaction that stored it. */
export function queueAutomaticReply(queue: Queue, reply: z.input<typeof AutomaticReply>, db: Db): Promise<void> {
  return queue.enqueue(automaticReplyJob, reply, { key: reply.messageId, db })
}

export function queueTemplates(queue: Queue, workspaceId: string, accountId: string, db?: Db): Promise<void> {
  return queue.enqueue(templatesJob, { workspaceId, accountId }, { key: accountId, ...(db && { db }) })
}
