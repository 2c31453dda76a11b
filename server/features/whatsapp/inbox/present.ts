import type { ChatMessage, Conversation } from '#contracts/whatsapp/inbox.ts'
import type * as store from './store.ts'

/** A conversation as the outside sees it. */
export function presentConversation(row: store.ConversationRow): Conversation {
  return {
    id: row.id,
    accountId: row.accountId,
    contactId: row.contactId,
    name: row.name,
    phone: row.phone,
    bsuid: row.bsuid,
    state: row.state,
    assignedTo: row.assignedTo ? { id: row.assignedTo, name: row.assigneeName ?? '' } : null,
    unread: row.unread,
    preview: row.preview,
    lastAt: row.lastAt.toISOString(),
    lastInAt: row.lastInAt?.toISOString() ?? null,
    windowEndsAt: row.windowEndsAt?.toISOString() ?? null,
    optedOut: row.optedOut,
    suppressed: row.suppressed && !row.optedOut,
    hasConsent: row.hasConsent,
    heldUntil: row.heldUntil?.toISOString() ?? null,
  }
}

function toAuthor(row: store.MessageRow): ChatMessage['author'] {
  if (row.direction === 'in') return { kind: 'person', name: '' }
  if (row.campaignId) return { kind: 'campaign', name: '' }
  if (row.automationId) return { kind: 'automation', name: row.automationName ?? '' }
  return row.authorId ? { kind: 'user', name: row.authorName ?? '' } : { kind: 'app', name: '' }
}

const STALE_MS = 5 * 60_000

/** A message as the outside sees it. */
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
    author: toAuthor(row),
    campaignId: row.campaignId,
    templateName: row.templateName,
    at: row.at.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    readAt: row.readAt?.toISOString() ?? null,
  }
}
