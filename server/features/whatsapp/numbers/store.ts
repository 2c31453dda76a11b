import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

const columns = [
  'id',
  'workspaceId',
  'name',
  'phoneNumberId',
  'businessAccountId',
  'tokenEncrypted',
  'appSecretEncrypted',
  'displayPhone',
  'verifiedName',
  'quality',
  'tier',
  'dailyLimit',
  'portfolioId',
  'perSecond',
  'state',
  'stateText',
  'checkedAt',
  'subscribed',
  'webhookAt',
  'templatesAt',
  'createdAt',
] as const

export type AccountRow = NonNullable<Awaited<ReturnType<typeof accountById>>>

const select = (db: Db, workspaceId: string) =>
  db.selectFrom('whatsappNumbers').where('workspaceId', '=', workspaceId).select(columns)

export function accountById(db: Db, workspaceId: string, id: string) {
  return select(db, workspaceId).where('id', '=', id).executeTakeFirst()
}

/** Oldest first; `after` is the last id of the page before. */
export function accountPage(
  db: Db,
  workspaceId: string,
  page: { limit: number; after?: string },
): Promise<AccountRow[]> {
  let query = select(db, workspaceId).orderBy('id').limit(page.limit)
  if (page.after) query = query.where('id', '>', page.after)
  return query.execute()
}

/** Every account, of whatever workspace, that a webhook with these ids may concern: the signature says which ones it does. */
export function findAccounts(db: Db, given: { businesses: string[]; numbers: string[] }): Promise<AccountRow[]> {
  const { businesses, numbers } = given
  if (businesses.length === 0 && numbers.length === 0) return Promise.resolve([])
  return db
    .selectFrom('whatsappNumbers')
    .select(columns)
    .where(({ or, eb }) =>
      or([
        ...(businesses.length > 0 ? [eb('businessAccountId', 'in', businesses)] : []),
        ...(numbers.length > 0 ? [eb('phoneNumberId', 'in', numbers)] : []),
      ]),
    )
    .limit(200)
    .execute()
}

export interface AccountFields {
  name?: string
  phoneNumberId?: string
  businessAccountId?: string
  tokenEncrypted?: string
  appSecretEncrypted?: string
  displayPhone?: string
  verifiedName?: string
  quality?: string
  tier?: string
  dailyLimit?: number | null
  portfolioId?: string
  perSecond?: number
  state?: string
  stateText?: string
  checkedAt?: Date
  subscribed?: boolean
}

type Inserted = AccountFields & { phoneNumberId: string; businessAccountId: string }

/** `seal` makes what is stored of the credentials once the id they are bound to is known; call inside a transaction. */
export async function insertAccount(
  db: Db,
  workspaceId: string,
  fields: Inserted,
  seal: (id: string) => AccountFields,
): Promise<string | undefined> {
  const row = await db
    .insertInto('whatsappNumbers')
    .values({ workspaceId, ...fields })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'phoneNumberId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row) await updateAccount(db, workspaceId, row.id, seal(row.id))
  return row?.id
}

export async function updateAccount(db: Db, workspaceId: string, id: string, fields: AccountFields): Promise<void> {
  if (Object.keys(fields).length === 0) return
  await db
    .updateTable('whatsappNumbers')
    .set(fields)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Removes a number with its conversations and what was said in them. */
export async function deleteAccount(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('whatsappNumbers')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (Number(result.numDeletedRows) === 0) return false
  await db
    .deleteFrom('whatsappWebhookEvents')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', id)
    .execute()
  // What a campaign sent stays counted there; its words go.
  await db
    .deleteFrom('whatsappMessages')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', id)
    .where('campaignId', 'is', null)
    .execute()
  await db
    .updateTable('whatsappMessages')
    .set({ conversationId: null })
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', id)
    .execute()
  return true
}

/** What a call or a webhook said of the number's health. */
export async function noteState(
  db: Db,
  workspaceId: string,
  id: string,
  state: 'working' | 'failing' | 'reconnect' | 'restricted',
  stateText: string,
): Promise<void> {
  await db
    .updateTable('whatsappNumbers')
    .set({ state, stateText, checkedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
