/** What becomes of a person's conversations and consents when their contact is merged into another one. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Gives conversations to another contact, and records consents for it as well, whose rows are never changed. */
export async function giveConversations(
  db: Db,
  workspaceId: string,
  from: string,
  to: string,
): Promise<Record<string, string[]>> {
  await sql`
    insert into whatsapp_consents (workspace_id, contact_id, phone, bsuid, how, purpose, covers, wording, evidence, given_at, recorded_by, recorded_at)
    select workspace_id, ${to}::bigint, phone, bsuid, how, purpose, covers, wording, evidence, given_at, recorded_by, recorded_at
    from whatsapp_consents where workspace_id = ${workspaceId} and contact_id = ${from} order by id`.execute(db)
  const moved = await db
    .updateTable('whatsappConversations')
    .set({ contactId: to })
    .where('workspaceId', '=', workspaceId)
    .where('contactId', '=', from)
    .returning('id')
    .execute()
  return { conversations: moved.map(({ id }) => id) }
}

/** Gives conversations back. Their consents are still there. */
export async function giveConversationsBack(
  db: Db,
  workspaceId: string,
  { conversations = [] }: Record<string, string[]>,
  to: string,
): Promise<void> {
  await sql`update whatsapp_conversations set contact_id = ${to}
    where workspace_id = ${workspaceId} and id = any(${conversations}::bigint[])`.execute(db)
}
