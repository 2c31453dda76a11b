import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { formFile } from '#contracts/form-file.ts'
import { cursorCodec, Id, IdParams, Line, ListOf, Moment, PageOf, PageQuery, Search } from '#contracts/values.ts'

const count = z.number().int()

const MB = 1024 * 1024
const limitEach = (limit: number, types: string[]) => Object.fromEntries(types.map((type) => [type, limit]))
/** Content types of files WhatsApp takes, and bytes of each at most. */
const MEDIA_LIMITS = {
  ...limitEach(5 * MB, ['image/jpeg', 'image/png']),
  ...limitEach(16 * MB, ['video/mp4', 'video/3gpp']),
  ...limitEach(16 * MB, ['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg']),
  ...limitEach(100 * MB, [
    'application/pdf',
    'text/plain',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ]),
}

export const Conversation = z.object({
  id: Id,
  accountId: Id,
  contactId: Id.nullable(),
  /** The contact's name, or the name the person chose. */
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
  /** Why no marketing, and outside the window nothing, may be sent: the person opted out; or the workspace suppressed them. */
  optedOut: z.boolean(),
  suppressed: z.boolean(),
  /** Whether a consent is recorded for the number or scoped id that the contact has now. */
  hasConsent: z.boolean(),
  /** Automations do not reply before this time: a user took over. */
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
      .refine((all) => new Set(all).size === all.length, 'must be different')
      .meta({ uniqueItems: true }),
  }),
  z.strictObject({
    kind: z.literal('template'),
    templateId: Id,
    /** By TemplateVariable.key; values are plain text; of a media header its URL. */
    variables: z.record(z.string(), z.string().max(2_000)).default({}),
  }),
  z.strictObject({ kind: z.literal('note'), text: z.string().trim().min(1, 'is required').max(4_096) }),
])
export type Reply = z.infer<typeof Reply>

/** Where a page of conversations or messages ended: a time as PostgreSQL writes it, and an id. */
export const InboxCursor = cursorCodec(z.object({ at: z.string().regex(/^\d{4,}-[\d: .+-]{5,40}$/), id: Id }))

export const whatsappConversations = {
  list: endpoint('GET /api/whatsapp/conversations', 'user', {
    summary: 'List conversations, the one with the newest message first; `q` also looks in their messages',
    query: PageQuery.extend({
      cursor: InboxCursor.optional(),
      accountId: Id.optional(),
      state: z.enum(['open', 'closed']).optional(),
      assigned: z.enum(['me', 'nobody']).optional(),
      unread: z.enum(['true']).optional(),
      q: Search.optional(),
    }),
    response: PageOf(Conversation).extend({ unread: count }),
  }),
  get: endpoint('GET /api/whatsapp/conversations/:id', 'user', {
    summary: 'Get a conversation',
    params: IdParams,
    response: Conversation,
  }),
  update: endpoint('PATCH /api/whatsapp/conversations/:id', 'user', {
    summary: 'Close, reopen or assign a conversation, mark it read, take it over from automations or hand it back',
    params: IdParams,
    body: z.strictObject({
      state: z.enum(['open', 'closed']).optional(),
      assignedTo: Id.nullable().optional(),
      read: z.literal(true).optional(),
      /** true: automations do not reply for 24 hours; false: they reply again. */
      held: z.boolean().optional(),
    }),
    response: Conversation,
  }),
  save: endpoint('POST /api/whatsapp/conversations/:id/contact', 'user', {
    refusals: [402, 409],
    summary: 'Create a contact of the person, or find the one with this number or scoped id, and add it to lists',
    status: 201,
    params: IdParams,
    body: z.strictObject({ name: Line(200).optional(), lists: z.array(Id).max(100).default([]) }),
    response: Conversation,
  }),
  messages: endpoint('GET /api/whatsapp/conversations/:id/messages', 'user', {
    summary: 'List the messages of a conversation, newest first',
    params: IdParams,
    query: PageQuery.extend({ cursor: InboxCursor.optional() }),
    response: PageOf(ChatMessage),
  }),
  campaigns: endpoint('GET /api/whatsapp/conversations/:id/campaigns', 'user', {
    summary: 'List the last 20 messages of campaigns to the person of a conversation',
    params: IdParams,
    response: ListOf(
      z.object({
        campaignId: Id,
        name: z.string(),
        status: ChatMessage.shape.status,
        at: Moment,
        replied: z.boolean(),
      }),
    ),
  }),
  reply: endpoint('POST /api/whatsapp/conversations/:id/messages', 'user', {
    refusals: [402, 409],
    summary: 'Reply inside the 24-hour window, with a template also after it, or add an internal note',
    status: 201,
    params: IdParams,
    body: z.strictObject({ message: Reply }),
    response: ChatMessage,
  }),
  media: endpoint('GET /api/whatsapp/conversations/:id/messages/:messageId/media', 'user', {
    refusals: [409],
    types: ['image/*', 'video/*', 'audio/*', 'application/octet-stream'],
    summary: 'Get the image, video, audio or document of a message',
    transport: 'file',
    params: z.object({ id: Id, messageId: Id }),
  }),
  upload: endpoint('POST /api/whatsapp/media', 'user', {
    refusals: [404, 409],
    summary:
      'Upload a file to Meta for this number, to reply with it: image 5 MB, video or audio 16 MB, document 100 MB',
    status: 201,
    query: z.object({ accountId: Id }),
    form: z.strictObject({
      file: formFile('The file', {
        max: MEDIA_LIMITS,
        missing: 'is required',
        tooLarge: (limit) =>
          `The file is larger than WhatsApp takes: ${limit / MB} MB at most for this kind. Nothing was sent.`,
        wrongType:
          'WhatsApp takes images (JPEG, PNG), videos (MP4), audio (MP3, AAC, OGG) and documents (PDF, Office, text).',
      }),
    }),
    response: z.object({
      mediaId: z.string(),
      kind: z.enum(['image', 'video', 'audio', 'document']),
      fileName: z.string(),
      size: count,
    }),
  }),
  start: endpoint('POST /api/whatsapp/conversations', 'user', {
    refusals: [402, 404, 409],
    summary: 'Start a conversation with a contact who gave consent, with a template',
    status: 201,
    body: z.strictObject({
      accountId: Id,
      contactId: Id,
      templateId: Id,
      variables: z.record(z.string(), z.string().max(2_000)).default({}),
    }),
    response: Conversation,
  }),
  people: endpoint('GET /api/whatsapp/conversations/assignees', 'user', {
    summary: 'List the users a conversation can be assigned to',
    response: ListOf(z.object({ id: Id, name: z.string() })),
  }),
  live: endpoint('GET /api/whatsapp/live', 'user', {
    summary: 'Stream changed conversations as server-sent events named `conversation`',
    transport: 'events',
    response: Conversation,
  }),
}
