import { roomForContacts } from '#server/features/billing/index.ts'
import { insertContact, normalizeEmail, updateContact } from '#server/features/contacts/index.ts'
import { isTaken } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ConversationRow } from '../inbox/store.ts'

/**
 * Writes what a flow found out into the contact, who is made if there is none. Returns, in words, what could not be
 * written, so that it can be read in the conversation instead.
 */
export async function saveFlowAnswers(
  db: Db,
  workspaceId: string,
  conversation: ConversationRow,
  fields: Record<string, string>,
): Promise<string | undefined> {
  const entries = Object.entries(fields)
  if (entries.length === 0) return undefined
  const shown = entries.map(([field, value]) => `${field.replace('attributes.', '')}: ${value}`).join(', ')
  const attributes = Object.fromEntries(
    entries.filter(([field]) => field.startsWith('attributes.')).map(([field, value]) => [field.slice(11), value]),
  )
  const email = fields.email === undefined ? undefined : normalizeEmail(fields.email)
  const address = email && 'key' in email ? { email: email.address, emailKey: email.key } : {}
  const contact = { ...(fields.name && { name: fields.name.slice(0, 200) }), ...address, attributes }
  try {
    return await db.transaction().execute(async (db) => {
      const id = conversation.contactId ?? (await makeContact(db, workspaceId, conversation))
      if (id === undefined)
        return `Replies that could not be stored, because there is no room for another contact: ${shown}`
      await updateContact(db, workspaceId, id, contact)
      await db
        .updateTable('whatsappConversations')
        .set({ contactId: id })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', conversation.id)
        .execute()
      return undefined
    })
  } catch (error) {
    // Somebody else has this email address: two contacts are never made one by themselves.
    if (isTaken(error)) return `Replies that could not be stored, because another contact has this address: ${shown}`
    throw error
  }
}

async function makeContact(db: Db, workspaceId: string, conversation: ConversationRow): Promise<string | undefined> {
  const { phone, bsuid } = conversation
  if (!phone && !bsuid) return undefined
  const room = await roomForContacts(db, workspaceId)
  if (room !== null && room <= 0) return undefined
  const name = conversation.name === phone || conversation.name === 'Somebody' ? '' : conversation.name
  return insertContact(db, workspaceId, { phone, bsuid, name, attributes: {} }, 'whatsapp')
}
