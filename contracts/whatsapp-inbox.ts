import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Line, Moment, PageOf, PageQuery } from './values.ts'

const count = z.number().int()

export const Conversation = z.object({
  id: Id,
  accountId: Id,
  contactId: Id.nullable(),
  /** The contact's name, or what the person calls himself. */
  name: z.string(),
  phone: z.string().nullable(),
  /** Meta's scoped id of a person, such as US.13491208655302741918; the only one it says of some who hide their number. */
  bsuid: z.string().nullable(),
  state: z.enum(['open', 'closed']),
  assignedTo: z.object({ id: Id, name: z.string() }).nullable(),
  unread: count,
  preview: z.string(),
  lastAt: Moment,
  lastInAt: Moment.nullable(),
  /** Until then anything may be written; null: closed, only templates. */
  windowEndsAt: Moment.nullable(),
  /** Why nothing may be sent: the person opted out. */
  optedOut: z.boolean(),
  optedIn: z.boolean(),
  /** Nothing answers by itself before this time: a person took over. */
  heldUntil: Moment.nullable(),
})
export type Conversation = z.infer<typeof Conversation>

export const MessageKind = z.enum([
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'template',
  'interactive',
  'button',
  'reaction',
  'location',
  'contacts',
  'system',
  'note',
  'unsupported',
])

export const ChatMessage = z.object({
  id: Id,
  direction: z.enum(['in', 'out', 'note']),
  kind: MessageKind,
  text: z.string(),
  media: z
    .object({
      /** Under the API, with the caller's token; null while it is not known. */
      url: z.string().nullable(),
      mimeType: z.string(),
      fileName: z.string(),
      size: count.nullable(),
    })
    .nullable(),
  /** Buttons shown under it. */
  buttons: z.array(z.string()),
  status: z.enum(['received', 'queued', 'unconfirmed', 'accepted', 'sent', 'delivered', 'read', 'failed', 'note']),
  /** Why it failed, in words; empty otherwise. */
  error: z.string(),
  errorCode: count.nullable(),
  author: z.object({ kind: z.enum(['person', 'user', 'automation', 'campaign', 'app']), name: z.string() }),
  campaignId: Id.nullable(),
  templateName: z.string().nullable(),
  at: Moment,
  sentAt: Moment.nullable(),
  deliveredAt: Moment.nullable(),
  readAt: Moment.nullable(),
})
export type ChatMessage = z.infer<typeof ChatMessage>

const Media = {
  /** Of POST /api/whatsapp/media. */
  mediaId: z.string().regex(/^\d{1,40}$/, 'is not an uploaded file'),
  caption: z.string().trim().max(1_024).default(''),
}
export const Reply = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('text'),
    text: z.string().trim().min(1, 'is required').max(4_096, 'has at most 4,096 characters'),
  }),
  z.strictObject({ kind: z.literal('image'), ...Media }),
  z.strictObject({ kind: z.literal('video'), ...Media }),
  z.strictObject({ kind: z.literal('audio'), mediaId: Media.mediaId }),
  z.strictObject({ kind: z.literal('document'), ...Media, fileName: Line(240).min(1) }),
  z.strictObject({
    kind: z.literal('buttons'),
    text: z.string().trim().min(1).max(1_024),
    /** Meta refuses two of the same words. */
    buttons: z
      .array(z.string().trim().min(1).max(20))
      .min(1)
      .max(3)
      .refine((all) => new Set(all).size === all.length, 'have to differ'),
  }),
  z.strictObject({
    kind: z.literal('template'),
    templateId: Id,
    /** By TemplateVariable.key; values are plain text, of a media place its address. */
    variables: z.record(z.string(), z.string().max(2_000)).default({}),
  }),
  z.strictObject({ kind: z.literal('note'), text: z.string().trim().min(1, 'is required').max(4_096) }),
])
export type Reply = z.infer<typeof Reply>

export const whatsappConversations = {
  list: endpoint('GET /api/whatsapp/conversations', 'user', {
    summary: 'Conversations, the one with the newest message first',
    query: PageQuery.extend({
      accountId: Id.optional(),
      state: z.enum(['open', 'closed']).optional(),
      assigned: z.enum(['me', 'nobody']).optional(),
      unread: z.enum(['true']).optional(),
      q: z.string().max(200).optional(),
    }),
    answer: PageOf(Conversation).extend({ unread: count }),
  }),
  get: endpoint('GET /api/whatsapp/conversations/:id', 'user', {
    summary: 'One conversation',
    params: IdParams,
    answer: Conversation,
  }),
  update: endpoint('PATCH /api/whatsapp/conversations/:id', 'user', {
    summary: 'Close or open it, assign it, mark it read, take it over from the automations or hand it back',
    params: IdParams,
    body: z.strictObject({
      state: z.enum(['open', 'closed']).optional(),
      assignedTo: Id.nullable().optional(),
      read: z.literal(true).optional(),
      /** true: nothing answers by itself for 24 hours; false: the automations answer again. */
      held: z.boolean().optional(),
    }),
    answer: Conversation,
  }),
  save: endpoint('POST /api/whatsapp/conversations/:id/contact', 'user', {
    summary: 'Make the person a contact, or find the one that has this number or scoped id, and put it on lists',
    status: 201,
    params: IdParams,
    body: z.strictObject({ name: Line(200).optional(), lists: z.array(Id).max(100).default([]) }),
    answer: Conversation,
  }),
  messages: endpoint('GET /api/whatsapp/conversations/:id/messages', 'user', {
    summary: 'What was said, newest first',
    params: IdParams,
    query: PageQuery,
    answer: PageOf(ChatMessage),
  }),
  reply: endpoint('POST /api/whatsapp/conversations/:id/messages', 'user', {
    summary: 'Reply inside the 24-hour window, with a template also after it, or note something for ourselves',
    status: 201,
    params: IdParams,
    body: z.strictObject({ message: Reply }),
    answer: ChatMessage,
  }),
  media: endpoint('GET /api/whatsapp/conversations/:id/messages/:messageId/media', 'user', {
    summary: 'The picture, film, sound or document of a message',
    transport: 'file',
    params: z.object({ id: Id, messageId: Id }),
  }),
  upload: endpoint('POST /api/whatsapp/media', 'user', {
    summary:
      'Hand a file to Meta for this number, to reply with it: picture 5 MB, film or sound 16 MB, document 100 MB',
    status: 201,
    query: z.object({ accountId: Id }),
    multipart: 'file',
    answer: z.object({
      mediaId: z.string(),
      kind: z.enum(['image', 'video', 'audio', 'document']),
      fileName: z.string(),
      size: count,
    }),
  }),
  start: endpoint('POST /api/whatsapp/conversations', 'user', {
    summary: 'Write first to a contact who opted in, with a template',
    status: 201,
    body: z.strictObject({
      accountId: Id,
      contactId: Id,
      templateId: Id,
      variables: z.record(z.string(), z.string().max(2_000)).default({}),
    }),
    answer: Conversation,
  }),
  people: endpoint('GET /api/whatsapp/conversations/assignees', 'user', {
    summary: 'To whom a conversation can be assigned',
    answer: z.object({ items: z.array(z.object({ id: Id, name: z.string() })), nextCursor: z.null() }),
  }),
  live: endpoint('GET /api/whatsapp/live', 'user', {
    summary: 'Changed conversations as server-sent events named `conversation`',
    transport: 'events',
    answer: Conversation,
  }),
}
