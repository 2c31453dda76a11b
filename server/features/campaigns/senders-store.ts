import type { Db } from '#server/platform/db/database.ts'

/** The sender over SMTP_URL. */
export async function defaultSenderId(db: Db, workspaceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where('isDefault', '=', true)
    .select('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Gives a paused campaign another sender. Returns whether it still was paused. */
export async function exchangeSender(
  db: Db,
  workspaceId: string,
  id: string,
  senderId: string | null,
): Promise<boolean> {
  const row = await db
    .updateTable('campaigns')
    .set({ senderId })
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'paused')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives a Gmail campaign the accounts it goes through. */
export async function setSenders(db: Db, workspaceId: string, campaignId: string, senderIds: string[]) {
  await db
    .deleteFrom('campaignSenders')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .execute()
  if (senderIds.length === 0) return
  await db
    .insertInto('campaignSenders')
    .values([...new Set(senderIds)].map((senderId, position) => ({ campaignId, senderId, workspaceId, position })))
    .execute()
}

/** The kinds of these senders, of those that are the workspace's. */
export async function senderKinds(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select(['id', 'kind'])
    .execute()
  return new Map(rows.map((row) => [row.id, row.kind]))
}
