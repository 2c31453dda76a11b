import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'

/**
 * Refuses (409 `last_admin`) what would leave the installation without an admin who can sign in. To be called first in the
 * transaction that demotes, suspends or removes a user: it locks the admins, so that two of them cannot go at once.
 */
export async function requireOtherAdmin(db: Db, userId: string): Promise<void> {
  const admins = await db
    .selectFrom('users')
    .where('role', '=', 'admin')
    .where('suspendedAt', 'is', null)
    .where('emailVerifiedAt', 'is not', null)
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (admins.length === 1 && admins[0]?.id === userId)
    throw conflict('last_admin', 'This is the last admin who can sign in. Make another user an admin first.')
}
