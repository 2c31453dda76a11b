import { greet } from '#server/adapters/smtp/greeting.ts'
import { audit } from '#server/platform/audit.ts'
import { hashToken, randomToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import type { Services } from '#server/services.ts'
import { hasSeveralSignUps } from './sign-in/confirmation.ts'
import * as tokens from './sign-in/tokens-store.ts'
import * as store from './store.ts'
import { makeUser } from './users.ts'

type SignUp = { kind: 'sign-up'; email: string; name: string; passwordHash: string }
type Resend = { kind: 'verification' | 'reset'; email: string }
/** When it was asked for, in ISO 8601; a job of an older version does not know. */
type Timed = { at: string }

/** An email somebody asks for, about an address that may or may not have an account. */
export type NewAsked = SignUp | Resend
/** The same as the job has it: `network` is where it was asked from. */
type EmailRequest = ((SignUp & { network: string }) | Resend) & Timed

const HOUR_MS = 3_600_000
const LIFETIME_MS = { verify: 72 * HOUR_MS, reset: HOUR_MS }

interface Addressee {
  id: string
  email: string
  name: string
}

/** Finds out whose address it is and sends what fits, or nothing. A job may run twice: each run has a link of its own. */
export async function sendAsked(services: Services, asked: EmailRequest): Promise<void> {
  if (asked.kind === 'sign-up') return welcome(services, asked)
  const user = await store.userByEmail(services.db, asked.email)
  if (!user) return
  if (asked.kind === 'reset') {
    const token = await newLink(services.db, user.id, 'reset')
    return services.mailer.send({ to: user.email, ...reset(user, services.config.publicUrl, token) })
  }
  if (!user.emailVerifiedAt)
    await mailVerification(services, user, asked, await newLink(services.db, user.id, 'verify'))
}

/**
 * A new address gets an account without a password, one not confirmed yet another link, and a confirmed one is told that
 * it has an account. What a sign-up chose stays with its link until that link is used.
 */
async function welcome(services: Services, asked: Extract<EmailRequest, { kind: 'sign-up' }>) {
  const { email, name, passwordHash, network } = asked
  const signUp = async (db: Db) => {
    const added = await makeUser(db, { email, name, passwordHash: null, role: 'user', plan: 'free', verified: false })
    if (added)
      await audit(db, { action: 'signed_up', actor: { ...added, email }, workspaceId: added.workspaceId, network })
    const known = await store.userByEmail(db, email)
    if (known) await store.lockUser(db, known.id)
    const user = known && (await store.userById(db, known.id))
    if (!user || user.emailVerifiedAt) return { user, token: undefined }
    // It was confirmed once and is not any more: it keeps its own name and password.
    const isPending = added !== undefined || (await tokens.listSignUps(db, user.id)).length > 0
    return { user, token: await newLink(db, user.id, 'verify', isPending ? { name, passwordHash } : {}) }
  }
  const { user, token } = await retryUndone(() => services.db.transaction().execute(signUp))
  if (!user) return
  if (token) return mailVerification(services, user, asked, token)
  await services.mailer.send({ to: user.email, ...known(user, services.config.publicUrl) })
}

/** The token is made here, right before it leaves: at rest there is only its hash. */
async function newLink(
  db: Db,
  userId: string,
  purpose: 'verify' | 'reset',
  chosen: { name?: string; passwordHash?: string } = {},
): Promise<string> {
  const token = randomToken()
  const expiresAt = new Date(Date.now() + LIFETIME_MS[purpose])
  await tokens.insertToken(db, { hash: hashToken(token), userId, purpose, expiresAt, ...chosen })
  return token
}

async function mailVerification(
  services: Services,
  user: Addressee,
  asked: EmailRequest,
  token: string,
): Promise<void> {
  const several = await hasSeveralSignUps(services.db, user.id)
  const name = asked.kind === 'sign-up' ? asked.name : user.name
  const text = verification({ ...user, name }, services.config.publicUrl, token, { ...asked, several })
  await services.mailer.send({ to: user.email, ...text })
}

const composeEmail = (subject: string, { name }: Addressee, text: string) => ({
  subject,
  text: `${greet(name)}\n\n${text}\n\nPostlark\n`,
})

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Emails of two sign-ups look alike, so each says when its own was made. */
const verification = (
  user: Addressee,
  publicUrl: string,
  token: string,
  { kind, at, several }: { kind: EmailRequest['kind']; at: string; several: boolean },
) => {
  const asked = kind === 'sign-up' ? 'The sign-up was made' : 'This email was requested'
  return composeEmail(
    'Confirm your email address',
    user,
    [
      `Thanks for signing up for Postlark. Confirm your email address to finish setting up your account:\n\n${publicUrl}/verify-email?token=${token}`,
      at && `${asked} on ${moment.format(new Date(at))} UTC.`,
      several &&
        'There was more than one sign-up with your address. If you did not make all of them, someone else did. The link asks you to choose a password, and no other password will work.',
      'The link expires in three days. If you did not sign up, you can ignore this email. No account is created without the link.',
    ]
      .filter(Boolean)
      .join('\n\n'),
  )
}

const reset = (user: Addressee, publicUrl: string, token: string) =>
  composeEmail(
    'Choose a new password',
    user,
    `We received a request to reset your password. Choose a new one here:\n\n${publicUrl}/reset-password?token=${token}\n\nThe link expires in one hour and works once. If you did not request it, you can ignore this email. Your password stays the same.`,
  )

const known = (user: Addressee, publicUrl: string) =>
  composeEmail(
    'You already have an account',
    user,
    `Someone tried to sign up with your email address. You already have an account: log in at ${publicUrl}/login, or choose a new password at ${publicUrl}/pass-reset.\n\nIf it was not you, you can ignore this email.`,
  )
