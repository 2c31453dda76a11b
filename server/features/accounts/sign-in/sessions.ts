import { jwtVerify, SignJWT } from 'jose'
import type { Config } from '#server/platform/config.ts'
import { deriveKey, randomToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { FindCaller } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import * as store from '../store.ts'

const SESSION_SECONDS = 7 * 24 * 60 * 60
const ISSUER = 'postlark'

const deriveSessionKey = (config: Pick<Config, 'secretKey'>) => deriveKey(config.secretKey, 'session tokens')

/** 403: the right person, but the account is suspended. Only to be said after the password or another proof. */
export const suspended = () => new Refusal(403, 'suspended', 'This account is suspended. Contact support.')

/** Starts a session of 7 days and returns its JWT, which carries `_id` and `exp`. Throws Refusal 403 for a suspended user. */
export async function startSession(
  db: Db,
  config: Pick<Config, 'secretKey'>,
  userId: string,
  userAgent: string,
): Promise<string> {
  const id = randomToken().slice(0, 32)
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000)
  if (!(await store.insertSession(db, { id, userId, userAgent: userAgent.slice(0, 300), expiresAt }))) throw suspended()
  return new SignJWT({ _id: userId, sid: id })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setIssuedAt()
    .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
    .sign(deriveSessionKey(config))
}

/** Finds the caller of a JWT: right signature, not expired, and its session still lives on the server. */
export function callerFinder(db: Db, config: Pick<Config, 'secretKey'>): FindCaller {
  const key = deriveSessionKey(config)
  return async (token) => {
    const claims = await jwtVerify<{ _id: string; sid: string }>(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
    }).catch(() => undefined)
    if (!claims || typeof claims.payload._id !== 'string' || typeof claims.payload.sid !== 'string') return undefined
    return store.findCaller(db, claims.payload.sid, claims.payload._id)
  }
}
