import type { Db } from '#server/platform/db/database.ts'

/** The user behind an issuer's subject, if they have been here before. */
export async function userOfIdentity(db: Db, issuer: string, subject: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('identities')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .select('userId')
    .executeTakeFirst()
  return row?.userId
}

/** Ties an issuer's subject to a user, once and for good. Two sign-ins at the same moment tie it once. */
export async function insertIdentity(db: Db, identity: { issuer: string; subject: string; userId: string }) {
  await db
    .insertInto('identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
