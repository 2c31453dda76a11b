import { z } from 'zod'
import { firstAdminEmail } from '#server/features/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import * as store from './store.ts'

const contactJob = job('site.contact', z.object({ id: z.string() }), { retries: 8 })

/** Queues the email that passes a visitor's message on, with the transaction that keeps it. */
export function passOn(services: Pick<Services, 'queue'>, db: Db, id: string): Promise<void> {
  return services.queue.enqueue(contactJob, { id }, { db })
}

/** Who reads what visitors write: the first admin, or else the address the product's own mail comes from. */
async function findOperatorAddress({ db, config }: Services): Promise<string> {
  return (await firstAdminEmail(db)) ?? config.mailFrom.replace(/^.*<([^<>]+)>$/, '$1')
}

export async function handleJobs(services: Services): Promise<void> {
  await services.queue.handle(contactJob, async ({ id }) => {
    const message = await store.messageById(services.db, id)
    // A job may run twice.
    if (!message || message.mailedAt) return
    await services.mailer.send({
      to: await findOperatorAddress(services),
      replyTo: message.email,
      subject: `Message from ${message.name}`,
      text: `${message.name} <${message.email}> wrote on the contact page:\n\n${message.message}\n\nReplies to this email go to ${message.email}.\n`,
    })
    await store.markMailed(services.db, id)
  })
}
