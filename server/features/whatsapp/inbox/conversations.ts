import type { ChatMessage, Conversation, Reply } from '#contracts/whatsapp-inbox.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound, Refusal } from '#server/platform/http/refusal.ts'
import { type Context, findAccount } from '../accounts/accounts.ts'
import { needApi, needKeys } from '../accounts/keys.ts'
import { missingVariables, templateMessage, templateText } from '../templates/shape.ts'
import { findTemplate } from '../templates/templates.ts'
import { type Outgoing, sendTo } from './send.ts'
import * as store from './store.ts'

export function presentConversation(row: store.ConversationRow): Conversation {
  return {
    id: row.id,
    accountId: row.accountId,
    contactId: row.contactId,
    name: row.name,
    phone: row.phone,
    state: row.state,
    assignedTo: row.assignedTo ? { id: row.assignedTo, name: row.assigneeName ?? '' } : null,
    unread: row.unread,
    preview: row.preview,
    lastAt: row.lastAt.toISOString(),
    lastInAt: row.lastInAt?.toISOString() ?? null,
    windowEndsAt: row.windowEndsAt?.toISOString() ?? null,
    optedOut: row.optedOut,
    optedIn: row.optedIn,
    heldUntil: row.heldUntil?.toISOString() ?? null,
  }
}

function authorOf(row: store.MessageRow): ChatMessage['author'] {
  if (row.direction === 'in') return { kind: 'person', name: '' }
  if (row.campaignId) return { kind: 'campaign', name: '' }
  if (row.automationId) return { kind: 'automation', name: row.automationName ?? '' }
  return row.authorId ? { kind: 'user', name: row.authorName ?? '' } : { kind: 'app', name: '' }
}

const STALE_MS = 5 * 60_000

export function presentMessage(row: store.MessageRow): ChatMessage {
  const { media, buttons = [] } = row.content
  return {
    id: row.id,
    direction: row.direction,
    kind: row.kind as ChatMessage['kind'],
    text: row.text,
    media: media
      ? {
          url: media.id ? `/api/whatsapp/conversations/${row.conversationId}/messages/${row.id}/media` : null,
          mimeType: media.mimeType,
          fileName: media.fileName,
          size: null,
        }
      : null,
    buttons,
    // Written down and never answered for: the process ended in between.
    status:
      row.status === 'queued' && row.at.getTime() < Date.now() - STALE_MS
        ? 'unconfirmed'
        : (row.status as ChatMessage['status']),
    error: row.errorText,
    errorCode: row.errorCode,
    author: authorOf(row),
    campaignId: row.campaignId,
    templateName: row.templateName,
    at: row.at.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    readAt: row.readAt?.toISOString() ?? null,
  }
}

/** The conversation's row. Throws Refusal 404. */
export async function findConversation(
  { db }: Pick<Context, 'db'>,
  workspaceId: string,
  id: string,
): Promise<store.ConversationRow> {
  const row = await store.conversationById(db, workspaceId, id)
  if (!row) throw notFound('Conversation')
  return row
}

export const showConversation = async (services: Pick<Context, 'db'>, workspaceId: string, id: string) =>
  presentConversation(await findConversation(services, workspaceId, id))

const cursorOf = ({ place, id }: { place: string; id: string }) => Buffer.from(`${place}|${id}`).toString('base64url')

function placeOf(cursor: string | undefined): { at: string; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('|')
  if (!/^\d{4,}-[\d: .+-]{5,40}$/.test(at) || !/^[1-9]\d{0,18}$/.test(id)) throw invalid('cursor', 'is not one of ours')
  return { at, id }
}

interface ListQuery {
  limit: number
  cursor?: string | undefined
  accountId?: string | undefined
  state?: string | undefined
  assigned?: 'me' | 'nobody' | undefined
  unread?: 'true' | undefined
  q?: string | undefined
}

export async function listConversations({ db }: Pick<Context, 'db'>, caller: Caller, query: ListQuery) {
  const { limit, cursor, assigned, unread, ...rest } = query
  const rows = await store.conversationPage(db, caller.workspaceId, {
    ...rest,
    limit: limit + 1,
    before: placeOf(cursor),
    assigned: assigned && { to: assigned === 'me' ? caller.userId : null },
    unread: unread === 'true',
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(presentConversation),
    nextCursor: rows.length > limit && last ? cursorOf(last) : null,
    unread: await store.countUnread(db, caller.workspaceId),
  }
}

export async function listMessages(
  services: Pick<Context, 'db'>,
  workspaceId: string,
  id: string,
  query: { limit: number; cursor?: string | undefined },
) {
  await findConversation(services, workspaceId, id)
  const before = placeOf(query.cursor)
  const rows = await store.messagePage(services.db, workspaceId, id, { limit: query.limit + 1, before })
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return { items: shown.map(presentMessage), nextCursor: rows.length > query.limit && last ? cursorOf(last) : null }
}

/** Closes, opens, assigns, marks as read, takes over or hands back. */
export async function changeConversation(
  services: Pick<Context, 'db'>,
  workspaceId: string,
  id: string,
  change: { [K in keyof store.ConversationChange]?: store.ConversationChange[K] | undefined },
): Promise<Conversation> {
  await findConversation(services, workspaceId, id)
  if (change.assignedTo) {
    const people = await store.peopleOf(services.db, workspaceId)
    if (!people.some((one) => one.id === change.assignedTo)) throw invalid('assignedTo', 'is nobody of this workspace')
  }
  await store.changeConversation(services.db, workspaceId, id, change as store.ConversationChange)
  return showConversation(services, workspaceId, id)
}

/** A template with its values, ready to go. Throws Refusal when it may not be sent or values are missing. */
export async function outgoingTemplate(
  services: Context,
  workspaceId: string,
  businessAccountId: string,
  given: { templateId: string; variables: Record<string, string> },
): Promise<Outgoing> {
  const template = await findTemplate(services, workspaceId, given.templateId).catch(() => undefined)
  if (!template || template.businessAccountId !== businessAccountId)
    throw invalid('templateId', 'does not name a template of this number')
  if (template.status !== 'APPROVED')
    throw conflict(
      'template_not_approved',
      `This template may not be sent: Meta says ${template.status.toLowerCase().replaceAll('_', ' ')}.`,
    )
  const missing = missingVariables(template, given.variables)
  if (missing.length > 0)
    throw new Refusal(400, 'invalid', `The template needs a value for ${missing.join(', ')}.`, {
      details: missing.map((key) => ({ field: `variables.${key}`, message: 'is required' })),
    })
  return {
    kind: 'template',
    text: templateText(template, given.variables),
    message: { type: 'template', template: templateMessage(template, given.variables) },
    content: {
      buttons: (template.components as { buttons?: { text?: string }[] }[]).flatMap(
        (part) => part.buttons?.map((one) => one.text ?? '') ?? [],
      ),
    },
    templateName: template.name,
    category: template.category.toLowerCase(),
  }
}

type Said = Exclude<Reply, { kind: 'template' | 'note' }>

/** A reply inside the window as Meta takes it. */
export function outgoingReply(reply: Said): Outgoing {
  switch (reply.kind) {
    case 'text':
      return {
        kind: 'text',
        text: reply.text,
        message: { type: 'text', text: { preview_url: true, body: reply.text } },
      }
    case 'buttons': {
      const buttons = reply.buttons.map((title, at) => ({
        type: 'reply',
        reply: { id: `b${at}:${title}`.slice(0, 256), title },
      }))
      const interactive = { type: 'button', body: { text: reply.text }, action: { buttons } }
      return {
        kind: 'interactive',
        text: reply.text,
        message: { type: 'interactive', interactive },
        content: { buttons: reply.buttons },
      }
    }
    default: {
      const caption = 'caption' in reply ? reply.caption : ''
      const fileName = reply.kind === 'document' ? reply.fileName : ''
      const part = { id: reply.mediaId, ...(caption && { caption }), ...(fileName && { filename: fileName }) }
      const media = { id: reply.mediaId, mimeType: '', fileName }
      return { kind: reply.kind, text: caption, message: { type: reply.kind, [reply.kind]: part }, content: { media } }
    }
  }
}

/**
 * Replies to a person. Outside the 24 hours after his last message only a template may go, and to who opted out only
 * what answers him. Throws Refusal 409 in words.
 */
export async function reply(services: Context, caller: Caller, id: string, message: Reply): Promise<ChatMessage> {
  const { workspaceId, userId } = caller
  const row = await findConversation(services, workspaceId, id)
  if (message.kind === 'note')
    return showMessage(services, row, await store.insertNote(services.db, row, message.text, userId))
  const account = await findAccount(services, workspaceId, row.accountId)
  if (message.kind !== 'template' && row.windowEndsAt === null)
    throw conflict(
      'window_closed',
      'More than 24 hours have passed since this person last wrote, so WhatsApp only takes a template. Your text was not sent.',
    )
  const outgoing =
    message.kind === 'template'
      ? await outgoingTemplate(services, workspaceId, account.businessAccountId, message)
      : outgoingReply(message)
  if (message.kind === 'template') refuseUnasked(row, outgoing)
  const messageId = await sendTo(services, account, row, { ...outgoing, authorId: userId })
  // Whoever answers himself has taken over.
  await store.changeConversation(services.db, workspaceId, id, { held: true, read: true })
  return showMessage(services, row, messageId)
}

/** A template outside the window needs consent; marketing needs that the person did not stop it. */
function refuseUnasked(row: store.ConversationRow, outgoing: Outgoing): void {
  if (row.optedOut && (outgoing.category === 'marketing' || row.windowEndsAt === null))
    throw conflict('opted_out', 'This person opted out. Nothing was sent; only the person can change that.')
  if (row.windowEndsAt === null && !row.optedIn)
    throw conflict(
      'no_opt_in',
      'This person has no recorded consent to be written to on WhatsApp. Record how and when it was given, or wait until they write.',
    )
}

async function showMessage({ db }: Pick<Context, 'db'>, row: store.ConversationRow, id: string): Promise<ChatMessage> {
  const message = await store.messageById(db, row.workspaceId, row.id, id)
  if (!message) throw notFound('Message')
  return presentMessage(message)
}

const MEDIA_BYTES = 100 * 1024 * 1024

/** The file of a message, from Meta, which keeps it for 30 days. */
export async function fetchMedia(services: Context, workspaceId: string, id: string, messageId: string) {
  const row = await findConversation(services, workspaceId, id)
  const message = await store.messageById(services.db, workspaceId, id, messageId)
  const media = message?.content.media
  if (!message || !media?.id) throw notFound('File')
  const account = await findAccount(services, workspaceId, row.accountId)
  const file = await needApi(services)
    .download(needKeys(services.config, account), media.id, MEDIA_BYTES)
    .catch(() => {
      throw new Refusal(404, 'gone', 'WhatsApp no longer has this file: it keeps them for 30 days.')
    })
  return { ...file, fileName: media.fileName || `${message.kind}-${messageId}` }
}
