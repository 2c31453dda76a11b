import { isIPv6 } from 'node:net'
import type { User } from '#contracts/accounts/accounts.ts'
import { isTimeZone } from '#contracts/time-zone.ts'
import { audit } from '#server/platform/audit.ts'
import { hashToken } from '#server/platform/crypto.ts'
import { invalid, Refusal, tooMany, unauthorized } from '#server/platform/http/refusal.ts'
import { toNetwork } from '#server/platform/network.ts'
import { clearThrottle, remainingWait, throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { requestEmail } from './jobs.ts'
import { confirmAddress, hasSeveralSignUps } from './sign-in/confirmation.ts'
import { auditFailedLogin } from './sign-in/failed-login.ts'
import { hashPassword, isPasswordRight, weakness } from './sign-in/passwords.ts'
import { startSession, suspended } from './sign-in/sessions.ts'
import * as tokens from './sign-in/tokens-store.ts'
import * as store from './store.ts'

const HOUR = 3600
const MAILS_AN_HOUR = 5
const WRONG_TRIES = 10
/** Wrong passwords from one client address, whatever the accounts. */
const WRONG_TRIES_FROM = 100

const linkUsed = () =>
  new Refusal(400, 'link_used', 'This link has expired or has already been used. Request a new one.')

/** A user as the API returns them. */
export function presentUser(row: store.UserRow): User {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    role: row.role as User['role'],
    currentPlan: row.plan,
    authProvider: row.authProvider as User['authProvider'],
    emailVerified: row.emailVerifiedAt !== null,
    hasPassword: row.passwordHash !== null,
    company: row.company,
    postalAddress: row.postalAddress,
    weeklyEmails: row.weeklyEmails,
    timeZone: row.timeZone,
  }
}

interface ProfileChange {
  name?: string | undefined
  timeZone?: string | null | undefined
  company?: string | undefined
  postalAddress?: string | undefined
  weeklyEmails?: number | null | undefined
}

/** Changes what a user says of themself and of the workspace. Throws Refusal 400 for an unknown time zone. */
export async function updateProfile(
  services: Services,
  caller: { userId: string; workspaceId: string },
  { name, timeZone, ...workspace }: ProfileChange,
): Promise<void> {
  if (typeof timeZone === 'string' && !isTimeZone(timeZone))
    throw invalid('timeZone', 'is not a time zone such as Europe/Berlin')
  await services.db.transaction().execute(async (db) => {
    await store.updateUser(db, caller.userId, {
      ...(name !== undefined && { name }),
      ...(timeZone !== undefined && { timeZone }),
    })
    await store.updateWorkspace(db, caller.workspaceId, workspace)
  })
}

/** Counts an email of this kind to this address, known or not, and says whether it may still be sent. */
async function mayMail(services: Services, kind: 'verify' | 'reset', email: string): Promise<boolean> {
  return (await throttle(services.db, `mail:${kind}:${store.emailKey(email)}`, MAILS_AN_HOUR, HOUR)).ok
}

/**
 * Signs up. Everything that depends on whether the address is known is done by the job, and told by mail: the caller
 * learns nothing of it, from the answer or from its time.
 */
export async function signUp(services: Services, given: { name: string; email: string; password: string }) {
  const weak = await weakness(given.password, given)
  if (weak) throw invalid('password', weak)
  const passwordHash = await hashPassword(given.password)
  if (await mayMail(services, 'verify', given.email))
    await requestEmail(services, { kind: 'sign-up', email: given.email, name: given.name, passwordHash })
}

/** Whether the page behind a verification link has to ask for a password. Throws Refusal 400 for a link that is used up. */
export async function checkVerification({ db }: Services, token: string): Promise<{ choosePassword: boolean }> {
  const user = await tokens.userOfToken(db, hashToken(token), 'verify')
  if (!user || user.emailVerifiedAt) throw linkUsed()
  return { choosePassword: await hasSeveralSignUps(db, user.id) }
}

/**
 * Confirms an address with the token of its mail and signs in. The password is the one given here, else that of the
 * sign-up the mail was for (decisions/0037-password-of-a-confirmed-address.md).
 */
export async function verifyEmail(
  services: Services,
  given: { token: string; password?: string | undefined; timeZone?: string | undefined },
  userAgent: string,
): Promise<string> {
  const asked = await tokens.userOfToken(services.db, hashToken(given.token), 'verify')
  if (!asked || asked.emailVerifiedAt) throw linkUsed()
  const typed =
    given.password === undefined ? {} : { passwordHash: await chosenHash(asked, 'password', given.password) }
  return services.db.transaction().execute(async (db) => {
    await store.lockUser(db, asked.id)
    const used = await tokens.useToken(db, hashToken(given.token), 'verify')
    const user = used && (await store.userById(db, used.userId))
    if (!user || user.emailVerifiedAt) throw linkUsed()
    await confirmAddress(db, user, {
      ...(used.passwordHash && { passwordHash: used.passwordHash }),
      ...(used.name && { name: used.name }),
      ...typed,
      // A browser may know zones that this machine does not: a guess is no reason to refuse a confirmation.
      ...(given.timeZone !== undefined && isTimeZone(given.timeZone) && { timeZone: given.timeZone }),
    })
    await audit(db, { action: 'email_verified', actor: user, workspaceId: user.workspaceId })
    return startSession(db, services.config, user.id, userAgent)
  })
}

/** Asks for the verification mail once more; it is sent when there is an unverified account. */
export async function resendVerification(services: Services, email: string) {
  if (await mayMail(services, 'verify', email)) await requestEmail(services, { kind: 'verification', email })
}

/** Signs in with address and password. Throws Refusal 401, 403 (not verified) or 429. */
export async function logIn(
  services: Services,
  given: { email: string; password: string },
  visitor: { address: string; userAgent: string },
): Promise<string> {
  const from = `login-from:${isIPv6(visitor.address) ? toNetwork(visitor.address) : visitor.address}`
  const wait = await remainingWait(services.db, from, WRONG_TRIES_FROM)
  if (wait > 0) throw tooMany('Too many wrong passwords from your network. Wait a few minutes, then try again.', wait)
  const key = `login:${store.emailKey(given.email)}`
  const tries = await throttle(services.db, key, WRONG_TRIES, 15 * 60)
  if (!tries.ok) throw tooMany('Too many tries for this account. Wait a few minutes, then try again.', tries.wait)
  const user = await store.userForLogin(services.db, given.email)
  if (!(await isPasswordRight(user?.loginHash, given.password)) || !user) {
    await throttle(services.db, from, WRONG_TRIES_FROM, 15 * 60)
    await auditFailedLogin(services.db, user)
    throw new Refusal(401, 'wrong_credentials', 'The email address or password is incorrect.')
  }
  await clearThrottle(services.db, key)
  if (user.suspendedAt) {
    await auditFailedLogin(services.db, user, 'suspended')
    throw suspended()
  }
  if (!user.emailVerifiedAt)
    throw new Refusal(403, 'not_verified', 'Confirm your email address first. The link is in the email we sent you.')
  return services.db.transaction().execute(async (db) => {
    await audit(db, { action: 'logged_in', actor: user, workspaceId: user.workspaceId })
    return startSession(db, services.config, user.id, visitor.userAgent)
  })
}

/** Asks for a reset link; it is sent when the address has an account. */
export async function forgotPassword(services: Services, email: string) {
  if (await mayMail(services, 'reset', email)) await requestEmail(services, { kind: 'reset', email })
}

/** The hash of a password its user chose. Throws Refusal 400 for a weak one; hashing comes last, because it is dear. */
async function chosenHash(user: store.UserRow, field: string, password: string): Promise<string> {
  const weak = await weakness(password, user)
  if (weak) throw invalid(field, weak)
  return hashPassword(password)
}

/** Sets a new password with the token of the mail; every session of the user ends, and none begins. */
export async function resetPassword(services: Services, token: string, newPassword: string) {
  const asked = await tokens.userOfToken(services.db, hashToken(token), 'reset')
  if (!asked) throw linkUsed()
  const passwordHash = await chosenHash(asked, 'newPassword', newPassword)
  await services.db.transaction().execute(async (db) => {
    await store.lockUser(db, asked.id)
    const used = await tokens.useToken(db, hashToken(token), 'reset')
    const user = used && (await store.userById(db, used.userId))
    if (!user) throw linkUsed()
    // The link came to the address, so the address is confirmed with it.
    await store.updateUser(db, user.id, {
      passwordHash,
      authProvider: 'credentials',
      ...(user.emailVerifiedAt ? {} : { emailVerifiedAt: new Date() }),
    })
    await tokens.deleteTokens(db, user.id)
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
  if (!tries.ok) throw tooMany('Too many tries. Wait a few minutes, then try again.', tries.wait)
  if (!(await isPasswordRight(user.passwordHash, given.currentPassword)))
    throw invalid('currentPassword', 'is incorrect')
  const passwordHash = await chosenHash(user, 'newPassword', given.newPassword)
  return services.db.transaction().execute(async (db) => {
    await store.updateUser(db, userId, { passwordHash })
    await tokens.deleteTokens(db, userId)
    await store.deleteSessions(db, userId, {})
    await clearThrottle(db, `password:${userId}`)
    await audit(db, { action: 'password_changed' })
    return startSession(db, services.config, userId, userAgent)
  })
}
