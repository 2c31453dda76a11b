import { z } from 'zod'
import { visitorNetwork } from '#server/platform/audit.ts'
import { decrypt, encrypt } from '#server/platform/crypto.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { type NewAsked, sendAsked } from './letters.ts'
import { handleRemoval } from './removal.ts'
import { deleteExpired } from './store.ts'

const HOUR_MS = 3_600_000

const letterJob = job(
  'accounts.letter',
  z.object({
    kind: z.enum(['sign-up', 'verification', 'reset']),
    email: z.string(),
    name: z.string().default(''),
    /** When it was asked for. */
    at: z.string().default(''),
    /** From where, for the audit log. */
    network: z.string().default(''),
    /** Sealed: jobs are kept for days after they are done. */
    passwordHash: z.string().default(''),
  }),
  { retries: 8 },
)

const contextOf = (email: string) => `sign-up of ${email}`

/** Queues a letter for an address, whether or not anybody has it: the same work for every address. */
export async function askForLetter(
  { queue, config }: Pick<Services, 'queue' | 'config'>,
  asked: NewAsked,
): Promise<void> {
  const sealed =
    asked.kind === 'sign-up'
      ? {
          ...asked,
          network: visitorNetwork(),
          passwordHash: encrypt(config.secretKey, asked.passwordHash, contextOf(asked.email)),
        }
      : asked
  await queue.enqueue(letterJob, { ...sealed, at: new Date().toISOString() })
}

/** Sends the letters, and forgets hourly what has expired. Answers how to stop the latter. */
export async function handleJobs(services: Services, works: boolean): Promise<() => void> {
  await handleRemoval(services)
  await services.queue.handle(letterJob, ({ kind, email, name, at, network, passwordHash }) =>
    sendAsked(
      services,
      kind === 'sign-up'
        ? {
            kind,
            email,
            name,
            at,
            network,
            passwordHash: decrypt(services.config.secretKey, passwordHash, contextOf(email)),
          }
        : { kind, email, at },
    ),
  )
  if (!works) return () => undefined
  const clock = setInterval(() => {
    deleteExpired(services.db).catch((error) => services.log.error({ err: error }, 'expired sessions were not removed'))
  }, HOUR_MS)
  return () => clearInterval(clock)
}
