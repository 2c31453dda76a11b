import type { Conversation } from '#contracts/whatsapp/inbox.ts'
import { requireRoomForContact } from '#server/features/billing/index.ts'
import { addToLists, insertContact, requireLists, updateContact } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { findPersonContact } from '../people.ts'
import { findConversation, showConversation } from './conversations.ts'
import type { ConversationRow } from './store.ts'

/** What a contact made of a conversation is called, unless told. */
const toContactName = ({ name, phone }: ConversationRow) =>
  name === phone || name === 'Somebody' ? '' : name.slice(0, 200)

/**
 * Makes the person of a conversation a contact, known by their number and scoped id as far as Meta told them, and adds
 * them to lists. An existing contact stays as it is. Throws Refusal 400, 402, 404.
 */
export async function saveContact(
  services: Services,
  { workspaceId }: Caller,
  id: string,
  given: { name?: string | undefined; lists: string[] },
): Promise<Conversation> {
  const row = await findConversation(services, workspaceId, id)
  await services.db.transaction().execute(async (db) => {
    await requireLists(db, workspaceId, 'lists', given.lists)
    const known = row.contactId ?? (await findPersonContact(db, workspaceId, row))?.id
    const contactId = known ?? (await makeContact(services, db, row, given.name))
    if (known && given.name !== undefined) await updateContact(db, workspaceId, known, { name: given.name })
    await addToLists(db, workspaceId, contactId, given.lists)
    await db
      .updateTable('whatsappConversations')
      .set({ contactId })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .execute()
  })
  return showConversation(services, workspaceId, id)
}

async function makeContact(services: Services, db: Db, row: ConversationRow, name: string | undefined) {
  await requireRoomForContact(services, db, row.workspaceId)
  const { phone, bsuid } = row
  const contact = { phone, bsuid, name: name ?? toContactName(row), attributes: {} }
  const made = await insertContact(db, row.workspaceId, contact, 'whatsapp')
  if (made === undefined) throw conflict('address_taken', 'Another contact already has this number or id.')
  return made
}
