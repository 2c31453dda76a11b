import { z } from 'zod'
import { visitorNetwork } from '#server/platform/audit.ts'
import { decrypt, encrypt } from '#server/platform/crypto.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { type NewAsked, sendAsked } from './emails.ts'
import { handleRemoval } from './removal/removal.ts'
import { deleteExpired } from './store.ts'

const emailJob = job(
  'accounts.email',
  z.object({
    kind: z.enum(['sign-up', 'verification', 'reset']),
    email: z.string(),
    name: z.string().default(''),
    /** When it was asked for. */
    at: z.string().default(''),
    /** From where, for the audit log. */
    network: z.string().default(''),
    /** Sealed: jobs are retained for days after they are done. */
    passwordHash: z.string().default(''),
  }),
  { retries: 8 },
)

const sealContext = (email: string) => `sign-up of ${email}`

/** Queues an email for an address, whether or not anybody has it: the same work for every address. */
export async function requestEmail(
  { queue, config }: Pick<Services, 'queue' | 'config'>,
  asked: NewAsked,
): Promise<void> {
  const sealed =
    asked.kind === 'sign-up'
      ? {
          ...asked,
          network: visitorNetwork(),
          passwordHash: encrypt(config.secretKey, asked.passwordHash, sealContext(asked.email)),
        }
      : asked
  await queue.enqueue(emailJob, { ...sealed, at: new Date().toISOString() })
}

/** Sends the emails, and hourly deletes what has expired. */
export async function handleJobs(services: Services): Promise<void> {
  await handleRemoval(services)
  await services.queue.handle(emailJob, ({ kind, email, name, at, network, passwordHash }) =>
    sendAsked(
      services,
      kind === 'sign-up'
        ? {
            kind,
            email,
            name,
            at,
            network,
            passwordHash: decrypt(services.config.secretKey, passwordHash, sealContext(email)),
          }
        : { kind, email, at },
    ),
  )
  await services.queue.every({
    name: 'accounts.delete-expired',
    per: 'process',
    intervalMs: services.intervals.expiredSessionsMs,
    run: () => deleteExpired(services.db),
  })
}
