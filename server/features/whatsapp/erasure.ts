import { sql } from 'kysely'
import { anySpelling, type ErasedAddresses, without } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isSpread } from '#server/platform/db/spread.ts'

/** Takes a person out of the WhatsApp messages of campaigns, by the recipients' ids. */
export async function clearMessages(
  db: Db,
  { workspaceId, pseudonym }: ErasedAddresses,
  messageIds: string[],
): Promise<void> {
  await sql`update whatsapp_messages set person = ${pseudonym}, text = '', content = '{}', error_text = ''
    where workspace_id = ${workspaceId} and message_id = any(${messageIds}::bigint[])`.execute(db)
}

/** Takes a person out of consents and conversations. */
export async function eraseFromWhatsApp(db: Db, who: ErasedAddresses): Promise<boolean> {
  await clearConsents(db, who)
  await clearConversations(db, who)
  return false
}

/** Takes the person out of the consents, whose proof stays without them. */
async function clearConsents(db: Db, who: ErasedAddresses): Promise<void> {
  await db.transaction().execute(async (db) => {
    // For the trigger, on whichever node it runs.
    if (isSpread()) await sql`set local citus.propagate_set_commands = 'local'`.execute(db)
    await sql`set local postlark.erasing = 'on'`.execute(db)
    await sql`update whatsapp_consents set phone = case when phone = '' then '' else ${who.pseudonym} end, bsuid = null,
        evidence = ${without(sql`evidence`, who)}
      where workspace_id = ${who.workspaceId} and (contact_id = ${who.contactId} or phone = ${who.phone} or bsuid = ${who.bsuid})`.execute(
      db,
    )
  })
}

/** Removes the conversations with a person; of what was said stays that it was, for the figures and the costs. */
async function clearConversations(db: Db, who: ErasedAddresses): Promise<void> {
  const { workspaceId, contactId, phone, bsuid, pseudonym } = who
  const people = [phone?.slice(1), phone, bsuid].filter((text) => text)
  await db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: string }>`
      delete from whatsapp_conversations where workspace_id = ${workspaceId}
        and (contact_id = ${contactId} or phone = ${phone} or bsuid = ${bsuid} or wa_id = any(${people}::text[])) returning id`.execute(
      db,
    )
    const ids = rows.map((row) => row.id)
    await sql`update whatsapp_messages set conversation_id = null, person = ${pseudonym}, text = '', content = '{}', error_text = ''
      where workspace_id = ${workspaceId} and (conversation_id = any(${ids}::bigint[]) or person = any(${people}::text[]))`.execute(
      db,
    )
    if (people.length > 0)
      await sql`delete from whatsapp_webhook_events where workspace_id = ${workspaceId} and handled_at is not null
        and changes::text ~ ${anySpelling(who)}`.execute(db)
  })
}
