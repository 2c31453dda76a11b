import { z } from 'zod'
import { Id } from '#contracts/values.ts'
import { greet } from '#server/adapters/smtp/greeting.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job, type Queue } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'

/** An email to everybody of a workspace: what it says is written when it is queued, so that it tells what was so then. */
const emailJob = job('billing.email', z.object({ workspaceId: Id, subject: z.string(), text: z.string() }))

/** Queues an email with the transaction that gave reason for it. `path` is where to go on, such as /plan. */
export function queueEmail(
  { queue }: { queue: Pick<Queue, 'enqueue'> },
  db: Db,
  workspaceId: string,
  email: { subject: string; text: string },
): Promise<void> {
  return queue.enqueue(emailJob, { workspaceId, ...email }, { db })
}

async function findBillingAddresses(db: Db, workspaceId: string): Promise<{ email: string; name: string }[]> {
  return db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .where('emailVerifiedAt', 'is not', null)
    .where('suspendedAt', 'is', null)
    .select(['email', 'name'])
    .execute()
}

/** Sends the emails of billing. */
export async function handleEmails({ db, queue, mailer, config }: Services): Promise<void> {
  await queue.handle(emailJob, async ({ workspaceId, subject, text }) => {
    for (const { email, name } of await findBillingAddresses(db, workspaceId))
      await mailer.send({
        to: email,
        subject,
        text: `${greet(name)}\n\n${text}\n\nYour plan and usage: ${config.publicUrl}/plan\n\nPostlark\n`,
      })
  })
}
