import { z } from 'zod'
import type { ChatMessage, Conversation, Reply } from '#contracts/whatsapp/inbox.ts'
import { InboxCursor } from '#contracts/whatsapp/inbox.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, notFound, unknownId } from '#server/platform/http/refusal.ts'
import { findAccount, type WhatsAppServices } from '../numbers/numbers.ts'
import { refuseSuppressed } from '../people.ts'
import { refuseNumberless, refuseUncovered } from './consent.ts'
import { campaignMessages, countUnread } from './counts-store.ts'
import { outgoingReply, outgoingTemplate } from './outgoing.ts'
import { presentConversation, presentMessage } from './present.ts'
import { type Outgoing, sendTo } from './send.ts'
import * as store from './store.ts'

/** The conversation's row. Throws Refusal 404. */
export async function findConversation(
  { db }: Pick<WhatsAppServices, 'db'>,
  workspaceId: string,
  id: string,
): Promise<store.ConversationRow> {
  const row = await store.conversationById(db, workspaceId, id)
  if (!row) throw notFound('Conversation')
  return row
}

export const showConversation = async (services: Pick<WhatsAppServices, 'db'>, workspaceId: string, id: string) =>
  presentConversation(await findConversation(services, workspaceId, id))

type InboxPlace = z.output<typeof InboxCursor>
const nextPlace = ({ place, id }: { place: string; id: string }) => z.encode(InboxCursor, { at: place, id })

interface ListQuery {
  limit: number
  cursor?: InboxPlace | undefined
  accountId?: string | undefined
  state?: string | undefined
  assigned?: 'me' | 'nobody' | undefined
  unread?: 'true' | undefined
  q?: string | undefined
}

export async function listConversations({ db }: Pick<WhatsAppServices, 'db'>, caller: Caller, query: ListQuery) {
  const { limit, cursor, assigned, unread, ...rest } = query
  const rows = await store.conversationPage(db, caller.workspaceId, {
    ...rest,
    limit: limit + 1,
    before: cursor,
    assigned: assigned && { to: assigned === 'me' ? caller.userId : null },
    unread: unread === 'true',
  })
  const { items, nextCursor } = takePage(rows, limit, nextPlace)
  return {
    items: items.map(presentConversation),
    nextCursor,
    unread: await countUnread(db, caller.workspaceId),
  }
}

export async function listMessages(
  services: Pick<WhatsAppServices, 'db'>,
  workspaceId: string,
  id: string,
  query: { limit: number; cursor?: InboxPlace | undefined },
) {
  await findConversation(services, workspaceId, id)
  const rows = await store.messagePage(services.db, workspaceId, id, { limit: query.limit + 1, before: query.cursor })
  const { items, nextCursor } = takePage(rows, query.limit, nextPlace)
  return { items: items.map(presentMessage), nextCursor }
}

/** What campaigns sent to the person, newest first. Throws Refusal 404. */
export async function listCampaigns(services: Pick<WhatsAppServices, 'db'>, workspaceId: string, id: string) {
  await findConversation(services, workspaceId, id)
  const rows = await campaignMessages(services.db, workspaceId, id)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** Closes, opens, assigns, marks as read, takes over or hands back. */
export async function changeConversation(
  services: Pick<WhatsAppServices, 'db'>,
  workspaceId: string,
  id: string,
  change: { [K in keyof store.ConversationChange]?: store.ConversationChange[K] | undefined },
): Promise<Conversation> {
  await findConversation(services, workspaceId, id)
  if (change.assignedTo) {
    const people = await store.listAssignees(services.db, workspaceId)
    if (!people.some((one) => one.id === change.assignedTo)) throw unknownId('assignedTo')
  }
  await store.changeConversation(services.db, workspaceId, id, change as store.ConversationChange)
  return showConversation(services, workspaceId, id)
}

/**
 * Replies to a person. Outside the 24 hours after their last message only a template may go, and to a person who opted
 * out only a reply. Throws Refusal 409 in words.
 */
export async function reply(
  services: WhatsAppServices,
  caller: Caller,
  id: string,
  message: Reply,
): Promise<ChatMessage> {
  const { workspaceId, userId } = caller
  const row = await findConversation(services, workspaceId, id)
  if (message.kind === 'note')
    return showMessage(services, row, await store.insertNote(services.db, row, message.text, userId))
  const account = await findAccount(services, workspaceId, row.accountId)
  if (message.kind !== 'template' && row.windowEndsAt === null)
    throw conflict(
      'window_closed',
      'More than 24 hours have passed since this person last wrote, so WhatsApp only accepts a template. Your text was not sent.',
    )
  const outgoing =
    message.kind === 'template'
      ? await outgoingTemplate(services, workspaceId, account.businessAccountId, message)
      : outgoingReply(message)
  if (message.kind === 'template') await refuseUnasked(services, row, outgoing)
  const isFirst = message.kind === 'template' && row.windowEndsAt === null
  const messageId = await sendTo(services, account, row, { ...outgoing, isFirst, authorId: userId })
  // A user who replies has taken over.
  await store.changeConversation(services.db, workspaceId, id, { held: true, read: true })
  return showMessage(services, row, messageId)
}

/** A template outside the window needs consent; marketing needs that the person did not stop it. */
async function refuseUnasked({ db }: Pick<WhatsAppServices, 'db'>, row: store.ConversationRow, outgoing: Outgoing) {
  if (outgoing.category === 'marketing' || row.windowEndsAt === null)
    await refuseSuppressed(db, row.workspaceId, [row.phone, row.bsuid])
  if (row.windowEndsAt === null && !row.hasConsent)
    throw conflict(
      'no_consent',
      'This person has no recorded consent to be written to on WhatsApp. Record how and when it was given, or wait until they write.',
    )
  if (row.windowEndsAt === null)
    await refuseUncovered(db, row.workspaceId, row.contactId, outgoing.category ?? 'marketing')
  refuseNumberless(row, outgoing.category)
}

async function showMessage(
  { db }: Pick<WhatsAppServices, 'db'>,
  row: store.ConversationRow,
  id: string,
): Promise<ChatMessage> {
  const message = await store.messageById(db, row.workspaceId, row.id, id)
  if (!message) throw notFound('Message')
  return presentMessage(message)
}
