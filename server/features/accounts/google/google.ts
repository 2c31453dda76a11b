import { Email, type GoogleRefusal } from '#contracts/accounts/accounts.ts'
import type { GoogleProfile } from '#server/adapters/google/sign-in.ts'
import { audit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import * as tokens from '../sign-in/tokens-store.ts'
import * as store from '../store.ts'
import { makeUser } from '../users.ts'
import { insertIdentity, userOfIdentity } from './identities-store.ts'

/** A sign-in with Google that ends without a session; `reason` is for the log only. */
export class SignInRefused extends Error {
  readonly code: GoogleRefusal
  constructor(code: GoogleRefusal, reason: string) {
    super(reason)
    this.name = 'SignInRefused'
    this.code = code
  }
}

/**
 * The user whom the issuer named, made or linked when they are new. The issuer's subject decides; the address only where
 * the issuer has verified it. Throws SignInRefused.
 */
export async function findOrCreateUser(db: Db, profile: GoogleProfile): Promise<store.UserRow> {
  const known = await knownUser(db, profile)
  if (known) return known
  const email = Email.safeParse(profile.email)
  if (!email.success || !profile.emailVerified)
    throw new SignInRefused('authentication_failed', 'the issuer has not verified an address')
  try {
    return await retryUndone(() => db.transaction().execute((db) => join(db, profile, email.data)))
  } catch (error) {
    throw new SignInRefused('user_creation_failed', (error as Error).message)
  }
}

async function knownUser(db: Db, { issuer, subject }: GoogleProfile): Promise<store.UserRow | undefined> {
  const userId = await userOfIdentity(db, issuer, subject)
  return userId === undefined ? undefined : store.userById(db, userId)
}

/** Links the account of a verified address, or makes one. */
async function join(db: Db, profile: GoogleProfile, email: string): Promise<store.UserRow> {
  const { issuer, subject, name } = profile
  const added = await makeUser(db, {
    email,
    name: nameFor(name, email),
    passwordHash: null,
    role: 'user',
    plan: 'free',
    verified: true,
    authProvider: 'google',
  })
  const user = await store.userByEmail(db, email)
  if (!user) throw new Error('the account is gone again')
  if (!added && !user.emailVerifiedAt) await takeOver(db, user.id, nameFor(name, email))
  await insertIdentity(db, { issuer, subject, userId: user.id })
  const action = added ? 'signed_up' : 'google_linked'
  await audit(db, { action, actor: user, workspaceId: user.workspaceId, details: { issuer } })
  // The request that tied it first, a moment ago, is the one.
  return (await knownUser(db, profile)) ?? user
}

/**
 * An account on this address that was never confirmed may be a stranger's, waiting for the owner to come. The owner has
 * come: what the stranger chose, and every way in that they may hold, ends.
 */
async function takeOver(db: Db, userId: string, name: string): Promise<void> {
  await store.updateUser(db, userId, {
    name,
    passwordHash: null,
    authProvider: 'google',
    emailVerifiedAt: new Date(),
  })
  await store.deleteSessions(db, userId, {})
  await tokens.deleteTokens(db, userId)
}

/** A name of at most 80 characters on one line: the issuer's, else the first part of the address. */
function nameFor(name: string | undefined, email: string): string {
  const plain = (name ?? '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  return Array.from(plain || email.split('@')[0] || email)
    .slice(0, 80)
    .join('')
}
