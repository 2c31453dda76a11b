/** The links that are mailed to users, each used once. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { selectUser, type UserRow } from '../store.ts'

export interface NewToken {
  hash: string
  userId: string
  purpose: 'verify' | 'reset'
  expiresAt: Date
  /** What the sign-up that asked for this verification chose. */
  name?: string
  passwordHash?: string
}

export async function insertToken(db: Db, token: NewToken) {
  await db.insertInto('userTokens').values(token).execute()
}

/** Uses a token up: returns its user, and what the sign-up behind it chose, once, and undefined ever after. */
export function useToken(db: Db, hash: string, purpose: 'verify' | 'reset') {
  return db
    .updateTable('userTokens')
    .set({ usedAt: sql<Date>`now()` })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning(['userId', 'name', 'passwordHash'])
    .executeTakeFirst()
}

/** The user of a link that can still be used; the link stays usable. */
export async function userOfToken(db: Db, hash: string, purpose: 'verify' | 'reset'): Promise<UserRow | undefined> {
  return selectUser(db)
    .innerJoin('userTokens', 'userTokens.userId', 'users.id')
    .where('userTokens.hash', '=', hash)
    .where('userTokens.purpose', '=', purpose)
    .where('userTokens.usedAt', 'is', null)
    .where('userTokens.expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/**
 * What each sign-up with this address chose, oldest first, those whose link has expired too. None: the account was
 * confirmed once, or made by hand. A job that ran twice made two links of one sign-up.
 */
export async function listSignUps(db: Db, userId: string): Promise<{ name: string; passwordHash: string }[]> {
  const rows = await db
    .selectFrom('userTokens')
    .where('userId', '=', userId)
    .where('purpose', '=', 'verify')
    .where('passwordHash', 'is not', null)
    .select(['name', 'passwordHash', sql`min(expires_at)`.as('first')])
    .groupBy(['name', 'passwordHash'])
    .orderBy('first')
    .execute()
  return rows.map(({ name, passwordHash }) => ({ name: name ?? '', passwordHash: passwordHash ?? '' }))
}

/** Every link that was mailed to a user stops working. */
export async function deleteTokens(db: Db, userId: string) {
  await db.deleteFrom('userTokens').where('userId', '=', userId).execute()
}
