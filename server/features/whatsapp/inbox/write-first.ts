import { sql } from 'kysely'
import type { Conversation } from '#contracts/whatsapp/inbox.ts'
import { requireSome } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, tooMany, unknownId } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'
import type { AccountRow } from '../numbers/store.ts'
import { refuseSuppressed } from '../people.ts'
import { type Reachable, refuseNumberless, refuseUncovered } from './consent.ts'
import { findConversation, showConversation } from './conversations.ts'
import { outgoingTemplate } from './outgoing.ts'
import { type Outgoing, sendTo } from './send.ts'
import * as store from './store.ts'

/** Writes what `make` makes first to a contact, if they agreed to it and are not suppressed. Throws Refusal 409 in words. */
export async function writeFirst(
  services: WhatsAppServices,
  caller: Caller,
  account: AccountRow,
  contact: Reachable,
  make: () => Outgoing,
): Promise<{ conversationId: string; messageId: string }> {
  const { db } = services
  const { workspaceId } = caller
  await refuseSuppressed(db, workspaceId, [contact.phone, contact.bsuid])
  await refuseUncovered(db, workspaceId, contact.id)
  const outgoing = make()
  await refuseUncovered(db, workspaceId, contact.id, outgoing.category ?? 'marketing')
  refuseNumberless(contact, outgoing.category)
  // Before a conversation is begun with nothing in it.
  await requireSome(db, workspaceId, 'whatsappMessages')
  const conversationId = await store.openConversation(db, workspaceId, account.id, contact)
  const row = await findConversation(services, workspaceId, conversationId)
  const isFirst = row.windowEndsAt === null
  const messageId = await sendTo(services, account, row, { ...outgoing, isFirst, authorId: caller.userId })
  return { conversationId, messageId }
}

const OWN_NUMBERS = 5
const OWN_TESTS = 30
const DAY_SECONDS = 86_400

/** How many other numbers were written to as somebody's own in the last 24 hours. */
async function otherOwnNumbers(db: Db, workspaceId: string, waId: string): Promise<number> {
  const { rows } = await sql<{ numbers: number }>`
    select count(distinct person)::int as numbers from whatsapp_messages where workspace_id = ${workspaceId}
      and at > now() - interval '24 hours' and direction = 'out' and content ? 'own' and person <> ${waId}`.execute(db)
  return rows[0]?.numbers ?? 0
}

/**
 * Writes what `make` makes to a number the caller says is their own: it needs no contact and no recorded consent, and so goes
 * to few numbers. That they said so is stored with the message. Throws Refusal 402, 409, 429.
 */
export async function writeToOwn(
  services: WhatsAppServices,
  caller: Caller,
  account: AccountRow,
  phone: string,
  make: () => Outgoing,
): Promise<string> {
  const { db } = services
  const { workspaceId, userId } = caller
  const waId = phone.slice(1)
  await refuseSuppressed(db, workspaceId, [phone])
  const outgoing = make()
  const { ok, wait } = await throttle(db, `whatsapp-own:${workspaceId}`, OWN_TESTS, DAY_SECONDS)
  if (!ok || (await otherOwnNumbers(db, workspaceId, waId)) >= OWN_NUMBERS)
    throw tooMany(
      `Tests go to at most ${OWN_NUMBERS} numbers of your own in 24 hours, ${OWN_TESTS} in all. Send to one of those, or to a contact with a recorded consent.`,
      ok ? 3_600 : wait,
    )
  const known = await db
    .selectFrom('whatsappConversations')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', account.id)
    .where('waId', '=', waId)
    .select('id')
    .executeTakeFirst()
  const receiver = { id: known?.id ?? null, workspaceId, accountId: account.id, waId, bsuid: null, phone }
  const content = { ...outgoing.content, own: true }
  return sendTo(services, account, receiver, { ...outgoing, content, isFirst: true, authorId: userId })
}

/** Writes first to a contact who gave consent, with a template. */
export async function startConversation(
  services: WhatsAppServices,
  caller: Caller,
  given: { accountId: string; contactId: string; templateId: string; variables: Record<string, string> },
): Promise<Conversation> {
  const { workspaceId } = caller
  const account = await findAccount(services, workspaceId, given.accountId).catch(() => {
    throw unknownId('accountId')
  })
  const contact = await services.db
    .selectFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', given.contactId)
    .select(['id', 'phone', 'bsuid'])
    .executeTakeFirst()
  if (!contact) throw unknownId('contactId')
  if (!contact.phone && !contact.bsuid) throw conflict('no_phone', 'This contact has no phone number.')
  const outgoing = await outgoingTemplate(services, workspaceId, account.businessAccountId, given)
  const { conversationId } = await writeFirst(services, caller, account, contact, () => outgoing)
  return showConversation(services, workspaceId, conversationId)
}
