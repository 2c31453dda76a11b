import { randomBytes } from 'node:crypto'
import { addUser, allUsers } from '#server/features/accounts/index.ts'
import { audit } from './platform/audit.ts'
import type { Services } from './services.ts'

/** On an empty database, once and for ever: the first admin, from the configuration or with a random password to be printed. */
export async function makeFirstAdmin({
  db,
  config,
}: Pick<Services, 'db' | 'config'>): Promise<{ email: string; password: string } | undefined> {
  return db.transaction().execute(async (db) => {
    const first = await db
      .insertInto('settings')
      .values({ key: 'first_admin', value: 'made' })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (!first || (await allUsers(db)).length > 0) return undefined
    const given = config.admin ?? { email: 'admin@localhost', password: randomBytes(12).toString('base64url') }
    const added = await addUser(db, { ...given, name: 'Admin', role: 'admin', plan: 'business', verified: true })
    if (added) {
      const subject = { id: added.id, email: given.email }
      const details = { role: 'admin', plan: 'business' }
      await audit(db, { action: 'user_added', actor: 'first start', subject, workspaceId: added.workspaceId, details })
    }
    return config.admin ? undefined : given
  })
}
