import type { Db } from '#server/platform/db/database.ts'
import * as store from '../store.ts'
import * as tokens from './tokens-store.ts'

/** Whether more than one sign-up was made with this address: it is not known which of them its owner made. */
export async function hasSeveralSignUps(db: Db, userId: string): Promise<boolean> {
  return (await tokens.listSignUps(db, userId)).length > 1
}

/**
 * Confirms an address, in a transaction of the caller, and ends its links. `chosen` is what the owner of the address
 * chose. Without a password there, an only sign-up's holds; of several none does, because one may be a stranger's.
 */
export async function confirmAddress(
  db: Db,
  user: { id: string },
  chosen: { name?: string; passwordHash?: string; timeZone?: string } = {},
): Promise<void> {
  const signUps = chosen.passwordHash === undefined ? await tokens.listSignUps(db, user.id) : []
  const [only] = signUps
  await store.updateUser(db, user.id, {
    ...(signUps.length === 1 && only),
    ...(signUps.length > 1 && { passwordHash: null }),
    ...chosen,
    emailVerifiedAt: new Date(),
  })
  await tokens.deleteTokens(db, user.id)
}
