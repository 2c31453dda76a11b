import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

export interface SavedReplyRow {
  id: string
  name: string
  text: string
  updatedAt: Date
}

const shown = ['id', 'name', 'text', 'updatedAt'] as const

/** The saved replies of a workspace by name. */
export function savedReplies(db: Db, workspaceId: string): Promise<SavedReplyRow[]> {
  return db
    .selectFrom('whatsappSavedReplies')
    .where('workspaceId', '=', workspaceId)
    .select(shown)
    .orderBy(sql`lower(name)`)
    .execute()
}

export function savedReplyById(db: Db, workspaceId: string, id: string): Promise<SavedReplyRow | undefined> {
  return db
    .selectFrom('whatsappSavedReplies')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select(shown)
    .executeTakeFirst()
}

/** Saves a reply while there are fewer than `most`. Returns its id; undefined: there are too many. Throws where the name is taken. */
export async function insertSavedReply(
  db: Db,
  workspaceId: string,
  { name, text }: { name: string; text: string },
  most: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`insert into whatsapp_saved_replies (workspace_id, name, text)
    select ${workspaceId}::bigint, ${name}, ${text}
    where (select count(*) from whatsapp_saved_replies where workspace_id = ${workspaceId}) < ${most}
    returning id`.execute(db)
  return rows[0]?.id
}

/** Throws where the name is taken. */
export async function updateSavedReply(
  db: Db,
  workspaceId: string,
  id: string,
  change: { name?: string; text?: string },
): Promise<void> {
  await db
    .updateTable('whatsappSavedReplies')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Returns whether there was one. */
export async function deleteSavedReply(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('whatsappSavedReplies')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
