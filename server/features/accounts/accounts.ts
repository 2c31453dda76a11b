import type { User } from '#contracts/accounts.ts'
import { addDefaultSender } from '#server/features/senders/index.ts'
import { audit } from '#server/platform/audit.ts'
import { hashToken, randomToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid, Refusal, tooMany, unauthorized } from '#server/platform/http/refusal.ts'
import { clearThrottle, throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { auditFailedLogin } from './failed-login.ts'
import { sendLetter } from './jobs.ts'
import { hashPassword, isPasswordRight, weakness } from './passwords.ts'
import { startSession, suspended } from './sessions.ts'
import * as store from './store.ts'

const HOUR = 3600
const MAILS_AN_HOUR = 5
const WRONG_TRIES = 10

/** A user as the outside sees him. */
export function presentUser(row: store.UserRow): User {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    role: row.role as User['role'],
    currentPlan: row.plan,
    authProvider: row.authProvider as User['authProvider'],
    emailVerified: row.emailVerifiedAt !== null,
    company: row.company,
    postalAddress: row.postalAddress,
  }
}

/** Makes a user with a workspace that can begin at once. Answers undefined when the address is taken. */
export async function addUser(db: Db, user: Omit<store.NewUser, 'passwordHash'> & { password: string | null }) {
  const passwordHash = user.password === null ? null : await hashPassword(user.password)
  const { password: _, ...rest } = user
  const added = await store.insertUser(db, { ...rest, passwordHash })
  if (added) await addDefaultSender(db, added.workspaceId)
  return added
}

function mayMail(db: Db, kind: string, email: string) {
  return throttle(db, `mail:${kind}:${store.emailKey(email)}`, MAILS_AN_HOUR, HOUR)
}

async function mailLink(
  services: Services,
  user: { id: string; email: string; name: string },
  purpose: 'verify' | 'reset',
) {
  if (!(await mayMail(services.db, purpose, user.email)).ok) return
  const token = randomToken()
  const seconds = purpose === 'verify' ? 72 * HOUR : HOUR
  await services.db.transaction().execute(async (db) => {
    await store.insertToken(db, {
      hash: hashToken(token),
      userId: user.id,
      purpose,
      expiresAt: new Date(Date.now() + seconds * 1000),
    })
    const letter = purpose === 'verify' ? 'verification' : 'reset'
    await sendLetter(services, db, { kind: letter, to: user.email, name: user.name, token })
  })
}

/** Signs up. Whoever asks learns nothing of whether the address is known: it is told by mail. */
export async function signUp(services: Services, given: { name: string; email: string; password: string }) {
  const weak = weakness(given.password, given.email)
  if (weak) throw invalid('password', weak)
  const known = await store.userByEmail(services.db, given.email)
  if (known) {
    await hashPassword(given.password)
    if (!known.emailVerifiedAt) await mailLink(services, known, 'verify')
    else if ((await mayMail(services.db, 'known', given.email)).ok) {
      await sendLetter(services, services.db, { kind: 'known', to: known.email, name: known.name, token: '' })
    }
    return
  }
  const passwordHash = await hashPassword(given.password)
  const added = await services.db.transaction().execute(async (db) => {
    const inserted = await store.insertUser(db, { ...given, passwordHash, role: 'user', plan: 'free', verified: false })
    if (!inserted) return undefined
    await addDefaultSender(db, inserted.workspaceId)
    const actor = { id: inserted.id, email: given.email }
    await audit(db, { action: 'signed_up', actor, workspaceId: inserted.workspaceId })
    return inserted
  })
  if (added) await mailLink(services, { id: added.id, email: given.email, name: given.name }, 'verify')
}

/** Confirms an address with the token of its mail and signs in. */
export async function verifyEmail(services: Services, token: string, userAgent: string): Promise<string> {
  return services.db.transaction().execute(async (db) => {
    const userId = await store.useToken(db, hashToken(token), 'verify')
    if (!userId) throw new Refusal(400, 'link_used', 'This link was used already or is too old. Ask for a new one.')
    await store.updateUser(db, userId, { emailVerifiedAt: new Date() })
    const user = await store.userById(db, userId)
    if (user) await audit(db, { action: 'email_verified', actor: user, workspaceId: user.workspaceId })
    return startSession(db, services.config, userId, userAgent)
  })
}

/** Sends the verification mail again when there is an unverified account. */
export async function resendVerification(services: Services, email: string) {
  const user = await store.userByEmail(services.db, email)
  if (user && !user.emailVerifiedAt) await mailLink(services, user, 'verify')
}

/** Signs in with address and password. Throws Refusal 401, 403 (not verified) or 429. */
export async function logIn(
  services: Services,
  given: { email: string; password: string },
  userAgent: string,
): Promise<string> {
  const key = `login:${store.emailKey(given.email)}`
  const tries = await throttle(services.db, key, WRONG_TRIES, 15 * 60)
  if (!tries.ok) throw tooMany('Too many tries for this account. Wait a little and try again.', tries.wait)
  const user = await store.userByEmail(services.db, given.email)
  if (!(await isPasswordRight(user?.passwordHash, given.password)) || !user) {
    await auditFailedLogin(services.db, user)
    throw new Refusal(401, 'wrong_credentials', 'E-mail address or password is wrong.')
  }
  await clearThrottle(services.db, key)
  if (user.suspendedAt) {
    await auditFailedLogin(services.db, user, 'suspended')
    throw suspended()
  }
  if (!user.emailVerifiedAt)
    throw new Refusal(403, 'not_verified', 'Confirm your e-mail address first: the link is in the mail we sent you.')
  return services.db.transaction().execute(async (db) => {
    await audit(db, { action: 'logged_in', actor: user, workspaceId: user.workspaceId })
    return startSession(db, services.config, user.id, userAgent)
  })
}

/** Sends a reset link when the address has an account. */
export async function forgotPassword(services: Services, email: string) {
  const user = await store.userByEmail(services.db, email)
  if (user) await mailLink(services, user, 'reset')
}

/** Sets a new password with the token of the mail; every session of the user ends, and none begins. */
export async function resetPassword(services: Services, token: string, newPassword: string) {
  const passwordHash = await hashPassword(newPassword)
  await services.db.transaction().execute(async (db) => {
    const userId = await store.useToken(db, hashToken(token), 'reset')
    const user = userId && (await store.userById(db, userId))
    if (!user) throw new Refusal(400, 'link_used', 'This link was used already or is too old. Ask for a new one.')
    const weak = weakness(newPassword, user.email)
    if (weak) throw invalid('newPassword', weak)
    // The link came to the address, so the address is confirmed with it.
    await store.updateUser(db, user.id, {
      passwordHash,
      ...(user.emailVerifiedAt ? {} : { emailVerifiedAt: new Date() }),
    })
    await store.deleteTokens(db, user.id, 'reset')
    await store.deleteSessions(db, user.id, {})
    await audit(db, { action: 'password_reset', actor: user, workspaceId: user.workspaceId })
    await clearThrottle(db, `login:${store.emailKey(user.email)}`)
  })
}

/** Changes the password of the signed-in user; every session ends and a new one begins. */
export async function changePassword(
  services: Services,
  userId: string,
  given: { currentPassword: string; newPassword: string },
  userAgent: string,
) {
  const user = await store.userById(services.db, userId)
  if (!user) throw unauthorized()
  const tries = await throttle(services.db, `password:${userId}`, WRONG_TRIES, 15 * 60)
  if (!tries.ok) throw tooMany('Too many tries. Wait a little and try again.', tries.wait)
  if (!(await isPasswordRight(user.passwordHash, given.currentPassword)))
    throw invalid('currentPassword', 'is not right')
  const weak = weakness(given.newPassword, user.email)
  if (weak) throw invalid('newPassword', weak)
  const passwordHash = await hashPassword(given.newPassword)
  return services.db.transaction().execute(async (db) => {
    await store.updateUser(db, userId, { passwordHash })
    await store.deleteSessions(db, userId, {})
    await clearThrottle(db, `password:${userId}`)
    await audit(db, { action: 'password_changed' })
    return startSession(db, services.config, userId, userAgent)
  })
}
