import { audit } from '#server/platform/audit.ts'
import { hashToken, randomToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import * as store from './store.ts'
import { makeUser } from './users.ts'

type SignUp = { kind: 'sign-up'; email: string; name: string; passwordHash: string }
type Resend = { kind: 'verification' | 'reset'; email: string }

/** A letter somebody asks for, about an address that may or may not have an account. */
export type NewAsked = SignUp | Resend
/** The same as the job has it: `network` is where it was asked from. */
type Asked = (SignUp & { network: string }) | Resend

const HOUR_MS = 3_600_000
const LIFETIME_MS = { verify: 72 * HOUR_MS, reset: HOUR_MS }

interface Addressee {
  id: string
  email: string
  name: string
}

/** Finds out whose address it is and sends what fits, or nothing. A job may run twice: each run has a link of its own. */
export async function sendAsked(services: Services, asked: Asked): Promise<void> {
  if (asked.kind === 'sign-up') return welcome(services, asked)
  const user = await store.userByEmail(services.db, asked.email)
  if (!user) return
  if (asked.kind === 'reset') return mailLink(services, user, 'reset', {})
  if (!user.emailVerifiedAt) await mailLink(services, user, 'verify', {})
}

/** A new address gets an account, one not confirmed yet another link, and a confirmed one is told that it has an account. */
async function welcome(services: Services, asked: Extract<Asked, { kind: 'sign-up' }>) {
  const { email, name, passwordHash, network } = asked
  const { user, pending } = await services.db.transaction().execute(async (db) => {
    const added = await makeUser(db, { email, name, passwordHash, role: 'user', plan: 'free', verified: false })
    if (added)
      await audit(db, { action: 'signed_up', actor: { ...added, email }, workspaceId: added.workspaceId, network })
    const user = await store.userByEmail(db, email)
    const pending = user !== undefined && (added !== undefined || (await store.isPending(db, user)))
    if (pending) await store.updateUser(db, user.id, { name, passwordHash })
    return { user, pending }
  })
  if (!user) return
  if (pending) return mailLink(services, { ...user, name }, 'verify', { name, passwordHash })
  // It was confirmed once and is not any more: it keeps its own name and password.
  if (!user.emailVerifiedAt) return mailLink(services, user, 'verify', {})
  await services.mailer.send({ to: user.email, ...known(user, services.config.publicUrl) })
}

/** The token is made here, right before it leaves: at rest there is only its hash. */
async function mailLink(
  services: Pick<Services, 'db' | 'mailer' | 'config'>,
  user: Addressee,
  purpose: 'verify' | 'reset',
  chosen: { name?: string; passwordHash?: string },
) {
  const token = randomToken()
  await keepToken(services.db, user.id, token, purpose, chosen)
  const write = purpose === 'verify' ? verification : reset
  await services.mailer.send({ to: user.email, ...write(user, services.config.publicUrl, token) })
}

function keepToken(
  db: Db,
  userId: string,
  token: string,
  purpose: 'verify' | 'reset',
  chosen: { name?: string; passwordHash?: string },
) {
  const expiresAt = new Date(Date.now() + LIFETIME_MS[purpose])
  return store.insertToken(db, { hash: hashToken(token), userId, purpose, expiresAt, ...chosen })
}

const letter = (subject: string, { name }: Addressee, text: string) => ({
  subject,
  text: `Hello ${name},\n\n${text}\n\nPostlark\n`,
})

const verification = (user: Addressee, publicUrl: string, token: string) =>
  letter(
    'Confirm your e-mail address',
    user,
    `please confirm that this is your address:\n\n${publicUrl}/verify-email?token=${token}\n\nThe link works for three days. If you did not sign up, do nothing: without the link there is no account.`,
  )

const reset = (user: Addressee, publicUrl: string, token: string) =>
  letter(
    'Choose a new password',
    user,
    `here you can choose a new password:\n\n${publicUrl}/reset-password?token=${token}\n\nThe link works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.`,
  )

const known = (user: Addressee, publicUrl: string) =>
  letter(
    'You have an account already',
    user,
    `somebody tried to sign up with your address. You have an account already: log in at ${publicUrl}/login, or choose a new password at ${publicUrl}/pass-reset.\n\nIf it was not you, do nothing.`,
  )
