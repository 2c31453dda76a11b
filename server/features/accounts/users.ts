import { addDefaultSender } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hashPassword } from './sign-in/passwords.ts'
import * as store from './store.ts'

/** Makes a user with a workspace that can begin at once. Returns undefined when the address is taken. */
export async function makeUser(db: Db, user: store.NewUser) {
  const added = await store.insertUser(db, user)
  if (added) await addDefaultSender(db, added.workspaceId)
  return added
}

/** The same from a password in plain text; null: nobody can log in with one. */
export async function addUser(
  db: Db,
  { password, ...user }: Omit<store.NewUser, 'passwordHash'> & { password: string | null },
) {
  return makeUser(db, { ...user, passwordHash: password === null ? null : await hashPassword(password) })
}
