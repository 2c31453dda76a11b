import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

export function clientRow(db: Db, workspaceId: string) {
  return db
    .selectFrom('gmailClients')
    .where('workspaceId', '=', workspaceId)
    .select(['clientId', 'secretEncrypted'])
    .executeTakeFirst()
}

export async function saveClient(
  db: Db,
  workspaceId: string,
  fields: { clientId: string; secretEncrypted: string },
): Promise<void> {
  await db
    .insertInto('gmailClients')
    .values({ workspaceId, ...fields })
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(fields))
    .execute()
}

export async function deleteClient(db: Db, workspaceId: string): Promise<boolean> {
  const result = await db.deleteFrom('gmailClients').where('workspaceId', '=', workspaceId).executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}

/** The sender of a Google account that is connected by OAuth already. */
export async function senderOfSubject(db: Db, workspaceId: string, subject: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('gmailAccounts')
    .where('workspaceId', '=', workspaceId)
    .where('access', '=', 'oauth')
    .where('subject', '=', subject)
    .select('senderId')
    .executeTakeFirst()
  return row?.senderId
}

/** The address of an account that was connected by OAuth; undefined: it is none. */
export async function addressOfGrant(db: Db, workspaceId: string, senderId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('gmailAccounts as gmail')
    .innerJoin('senders', (join) =>
      join.onRef('senders.workspaceId', '=', 'gmail.workspaceId').onRef('senders.id', '=', 'gmail.senderId'),
    )
    .where('gmail.workspaceId', '=', workspaceId)
    .where('gmail.senderId', '=', senderId)
    .where('gmail.access', '=', 'oauth')
    .select('senders.fromEmail')
    .executeTakeFirst()
  return row?.fromEmail
}

function selectAccounts(db: Db, workspaceId: string, senderIds: string[]) {
  return db
    .selectFrom('gmailAccounts')
    .where('workspaceId', '=', workspaceId)
    .where('senderId', 'in', senderIds)
    .select(['senderId', 'access', 'account', 'scopes', 'ownClient', 'connectedAt', 'refreshUntil', 'revokedAt'])
    .select(['blockedAt', 'blockedText', 'readAt', 'readText'])
    .select(
      sql<number>`(select coalesce(sum(count), 0)::int from sender_usage u where u.workspace_id = gmail_accounts.workspace_id
        and u.sender_id = gmail_accounts.sender_id and u.bucket > now() - interval '24 hours')`.as('sentToday'),
    )
}

export type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number]

/** What Gmail accounts have beside their senders, by sender. `senderIds` is not empty. */
export async function accountRows(db: Db, workspaceId: string, senderIds: string[]): Promise<Map<string, AccountRow>> {
  const rows = await selectAccounts(db, workspaceId, senderIds).execute()
  return new Map(rows.map((row) => [row.senderId, row]))
}

export interface AccountFields {
  access?: 'oauth' | 'app_password'
  subject?: string | null
  account?: 'consumer' | 'workspace'
  clientId?: string | null
  ownClient?: boolean
  scopes?: string[]
  refreshEncrypted?: string | null
  accessEncrypted?: string | null
  accessUntil?: Date | null
  refreshUntil?: Date | null
}

/** Adds what a Gmail account has beside its sender. */
export async function insertAccount(
  db: Db,
  workspaceId: string,
  senderId: string,
  fields: AccountFields & { access: 'oauth' | 'app_password' },
): Promise<void> {
  await db
    .insertInto('gmailAccounts')
    .values({ workspaceId, senderId, ...fields })
    .execute()
}

/** Changes it. With `connected` it counts as connected from now on. */
export async function updateAccount(
  db: Db,
  workspaceId: string,
  senderId: string,
  fields: AccountFields,
  connected = false,
): Promise<void> {
  await db
    .updateTable('gmailAccounts')
    .set({
      ...fields,
      // Where reading stood stays: what came in while the permission was gone is read too.
      ...(connected && { connectedAt: sql<Date>`now()`, revokedAt: null, refreshingUntil: null }),
      ...((connected || fields.scopes) && { readText: '', readAfter: null, readFailures: 0 }),
    })
    .where('workspaceId', '=', workspaceId)
    .where('senderId', '=', senderId)
    .execute()
}

/** The tokens of an account, sealed. `left`: milliseconds the access token lives on; `turn`: nobody is asking for a new one. */
export async function findTokens(db: Db, senderId: string) {
  return db
    .selectFrom('gmailAccounts')
    .where('senderId', '=', senderId)
    .select(['workspaceId', 'clientId', 'refreshEncrypted', 'accessEncrypted', 'revokedAt', 'scopes', 'connectedAt'])
    .select(sql<number>`coalesce(extract(epoch from access_until - now())::float8 * 1000, 0)`.as('left'))
    .executeTakeFirst()
}

export type TokenRow = NonNullable<Awaited<ReturnType<typeof findTokens>>>

/** Takes the turn to ask Google for a new access token, for so many seconds, over all workers. Returns whether it was free. */
export async function takeTurn(db: Db, senderId: string, seconds: number): Promise<boolean> {
  const row = await db
    .updateTable('gmailAccounts')
    .set({ refreshingUntil: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where('senderId', '=', senderId)
    .where(({ eb, or }) => or([eb('refreshingUntil', 'is', null), eb('refreshingUntil', '<', sql<Date>`now()`)]))
    .returning('senderId')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the turn with what came of it, unless the account was connected anew meanwhile. */
export async function endTurn(
  db: Db,
  senderId: string,
  connectedAt: Date,
  fields: {
    accessEncrypted?: string
    accessUntil?: Date
    refreshEncrypted?: string
    scopes?: string[]
    revokedAt?: Date
  },
): Promise<void> {
  await db
    .updateTable('gmailAccounts')
    .set({ ...fields, refreshingUntil: null })
    .where('senderId', '=', senderId)
    // PostgreSQL's times are finer than JavaScript's.
    .where('connectedAt', '>=', connectedAt)
    .where('connectedAt', '<', new Date(connectedAt.getTime() + 1))
    .execute()
}

/** Google refused this access token before its time: the next one who needs one asks for another. */
export async function forgetAccess(db: Db, senderId: string, accessEncrypted: string): Promise<void> {
  await db
    .updateTable('gmailAccounts')
    .set({ accessEncrypted: null, accessUntil: null })
    .where('senderId', '=', senderId)
    .where('accessEncrypted', '=', accessEncrypted)
    .execute()
}

/** Lets an account send again: what was refused before does not count any more. Returns whether it was stopped. */
export async function release(db: Db, workspaceId: string, senderId: string): Promise<boolean> {
  const result = await db
    .updateTable('gmailAccounts')
    .set({ blockedAt: null, blockedText: '', blocksFrom: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('senderId', '=', senderId)
    .where('blockedAt', 'is not', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}
