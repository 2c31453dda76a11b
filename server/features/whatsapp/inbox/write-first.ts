import type { Conversation } from '#contracts/whatsapp-inbox.ts'
import { requireSome } from '#server/features/billing/index.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
import { type Context, findAccount } from '../accounts/accounts.ts'
import type { AccountRow } from '../accounts/store.ts'
import { isOptedOut } from '../people.ts'
import { findConversation, outgoingTemplate, showConversation } from './conversations.ts'
import { type Outgoing, sendTo } from './send.ts'
import * as store from './store.ts'

/** Writes what `make` makes first to a contact, if he agreed to it and did not opt out. Throws Refusal 409 in words. */
export async function writeFirst(
  services: Context,
  caller: Caller,
  account: AccountRow,
  contact: { id: string; phone: string },
  make: () => Outgoing,
): Promise<{ conversationId: string; messageId: string }> {
  const { db } = services
  const { workspaceId } = caller
  const consent = await db
    .selectFrom('whatsappOptIns')
    .where('workspaceId', '=', workspaceId)
    .where('contactId', '=', contact.id)
    .where('phone', '=', contact.phone)
    .select('id')
    .executeTakeFirst()
  if (await isOptedOut(db, workspaceId, contact.phone))
    throw conflict('opted_out', 'This person opted out. Nothing was sent; only the person can change that.')
  if (!consent)
    throw conflict(
      'no_opt_in',
      'This person has no recorded consent to be written to on WhatsApp. Record how and when it was given first.',
    )
  const outgoing = make()
  // Before a conversation is begun with nothing in it.
  await requireSome(db, workspaceId, 'whatsappMessages')
  const conversationId = await store.openConversation(db, workspaceId, account.id, contact)
  const row = await findConversation(services, workspaceId, conversationId)
  return { conversationId, messageId: await sendTo(services, account, row, { ...outgoing, authorId: caller.userId }) }
}

/** Writes first to a contact who opted in, with a template. */
export async function startConversation(
  services: Context,
  caller: Caller,
  given: { accountId: string; contactId: string; templateId: string; variables: Record<string, string> },
): Promise<Conversation> {
  const { workspaceId } = caller
  const account = await findAccount(services, workspaceId, given.accountId).catch(() => {
    throw invalid('accountId', 'does not name something of yours')
  })
  const contact = await services.db
    .selectFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', given.contactId)
    .select(['id', 'phone'])
    .executeTakeFirst()
  if (!contact) throw invalid('contactId', 'does not name something of yours')
  const { id, phone } = contact
  if (!phone) throw conflict('no_phone', 'This contact has no phone number.')
  const outgoing = await outgoingTemplate(services, workspaceId, account.businessAccountId, given)
  const { conversationId } = await writeFirst(services, caller, account, { id, phone }, () => outgoing)
  return showConversation(services, workspaceId, conversationId)
}
