import { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'

const Letter = z.object({
  kind: z.enum(['verification', 'reset', 'known']),
  to: z.string(),
  name: z.string(),
  token: z.string(),
})
type Letter = z.infer<typeof Letter>

const letterJob = job('accounts.letter', Letter, { retries: 8 })

/** Queues one of the product's own letters with the transaction it belongs to. */
export function sendLetter(services: Pick<Services, 'queue'>, db: Db, letter: Letter): Promise<void> {
  return services.queue.enqueue(letterJob, letter, { db })
}

function write(letter: Letter, publicUrl: string): { subject: string; text: string } {
  const hello = `Hello ${letter.name},\n\n`
  const end = '\n\nPostlark\n'
  if (letter.kind === 'verification') {
    const link = `${publicUrl}/verify-email?token=${letter.token}`
    return {
      subject: 'Confirm your e-mail address',
      text: `${hello}please confirm that this is your address:\n\n${link}\n\nThe link works for three days. If you did not sign up, do nothing: without the link there is no account.${end}`,
    }
  }
  if (letter.kind === 'reset') {
    const link = `${publicUrl}/reset-password?token=${letter.token}`
    return {
      subject: 'Choose a new password',
      text: `${hello}here you can choose a new password:\n\n${link}\n\nThe link works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.${end}`,
    }
  }
  return {
    subject: 'You have an account already',
    text: `${hello}somebody tried to sign up with your address. You have an account already: log in at ${publicUrl}/login, or choose a new password at ${publicUrl}/pass-reset.\n\nIf it was not you, do nothing.${end}`,
  }
}

export async function handleJobs(services: Services): Promise<void> {
  await services.queue.handle(letterJob, async (letter) => {
    await services.mailer.send({ to: letter.to, ...write(letter, services.config.publicUrl) })
  })
}
