import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { formFile } from '#contracts/form-file.ts'
import { Empty, ListOf, Moment, Offset, PageOf, PageQuery } from '#contracts/values.ts'
import { AdminFilter, IS_FOR_ADMINS } from './sandbox.ts'

const count = z.number().int()

/** Bytes of a file that a person sends, at most. */
const FILE_LIMIT = 16 * 1024 * 1024

/** A number of the emulator, with what is entered to connect it. */
export const SandboxNumber = z.object({
  phoneNumberId: z.string(),
  businessAccountId: z.string(),
  accessToken: z.string(),
  appSecret: z.string(),
  displayPhone: z.string(),
  verifiedName: z.string(),
})

const ChatParams = z.object({
  number: z.string().regex(/^\d{1,32}$/),
  person: z.string().regex(/^(\d{5,20}|[A-Z]{2}\.[A-Za-z0-9]{1,128})$/),
})

export const SandboxFileKind = z.enum(['image', 'video', 'audio', 'document', 'sticker'])

export const SandboxChat = z.object({
  number: z.string(),
  person: z.string(),
  name: z.string(),
  preview: z.string(),
  messages: count,
  at: Moment,
})

export const SandboxChatMessage = z.object({
  id: z.string(),
  from: z.enum(['business', 'person']),
  kind: z.string(),
  text: z.string(),
  header: z.string(),
  footer: z.string(),
  buttons: z.array(z.object({ text: z.string(), payload: z.string(), reply: z.boolean() })),
  /** Its file, or that of its header: stored by the emulator (`id`, null once it is gone) or at an address elsewhere. */
  media: z
    .object({ kind: SandboxFileKind, id: z.string().nullable(), link: z.string().nullable(), name: z.string() })
    .nullable(),
  status: z.string(),
  at: Moment,
})

/** A template as Meta's reviewer sees it. */
export const SandboxTemplate = z.object({
  id: z.string(),
  businessAccountId: z.string(),
  business: z.string(),
  name: z.string(),
  language: z.string(),
  category: z.string(),
  status: z.string(),
  /** Why it was refused or paused; empty otherwise. */
  reason: z.string(),
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']),
  /** Its text, or the kind of its file. */
  header: z.string(),
  body: z.string(),
  footer: z.string(),
  buttons: z.array(z.string()),
})

/** What the person at the other end does. */
const Deed = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('text'),
    text: z.string().trim().min(1).max(4_096),
    name: z.string().max(80).optional(),
  }),
  z.strictObject({
    act: z.literal('button'),
    messageId: z.string().max(200),
    index: z.number().int().min(0).max(10),
  }),
  z.strictObject({ act: z.literal('image'), caption: z.string().max(1_024).default('') }),
  z.strictObject({ act: z.literal('read') }),
  /** What happens to the next messages to this person: refused in the answer, or failed later by webhook. */
  z.strictObject({
    act: z.literal('fate'),
    code: z.number().int().min(0).max(9_999_999),
    when: z.enum(['answer', 'webhook']),
    times: z.number().int().min(1).max(1_000).default(1_000),
  }),
  z.strictObject({ act: z.literal('stop_promotions') }),
  z.strictObject({ act: z.literal('resume_promotions') }),
])
export type Deed = z.output<typeof Deed>

export const sandboxWhatsApp = {
  numbers: endpoint('GET /api/sandbox/whatsapp/numbers', 'user', {
    refusals: [403],
    summary: 'List the sandbox numbers of this workspace with their credentials, and magic recipients by error code',
    rules: IS_FOR_ADMINS,
    query: AdminFilter,
    response: z.object({
      items: z.array(SandboxNumber),
      nextCursor: z.null(),
      /** A message to one of these returns an error of Meta's list. */
      magic: z.array(z.object({ phone: z.string(), code: count, what: z.string() })),
    }),
  }),
  addNumber: endpoint('POST /api/sandbox/whatsapp/numbers', 'user', {
    refusals: [409],
    summary: 'Create a business of this workspace with a number, five at most',
    status: 201,
    body: z.strictObject({
      name: z.string().trim().min(1).max(80),
      /** Its messaging limit in Meta's words, such as TIER_250. */
      tier: z.string().max(20).optional(),
      perSecond: z.number().int().min(1).max(1_000).optional(),
      /** A number (its phoneNumberId) with whose business it shares the portfolio, and so the messaging limit. */
      portfolioOf: z.string().max(32).optional(),
      /** The share of people to whom something goes wrong, by their number. */
      troubled: z.number().min(0).max(1).optional(),
    }),
    response: SandboxNumber,
  }),
  chats: endpoint('GET /api/sandbox/whatsapp/chats', 'user', {
    refusals: [403],
    summary: 'List the chats of the sandbox numbers of this workspace, newest first',
    rules: IS_FOR_ADMINS,
    gives: {
      under: ['/api/sandbox/whatsapp/chats'],
      pointer: '/items/0/number',
      others: { person: '/items/0/person' },
    },
    query: PageQuery.extend({ cursor: Offset.optional(), ...AdminFilter.shape }),
    response: PageOf(SandboxChat),
  }),
  messages: endpoint('GET /api/sandbox/whatsapp/chats/:number/:person', 'user', {
    summary: 'Get a chat as the person sees it, oldest first',
    gives: { under: ['/api/sandbox/whatsapp/media'], pointer: '/items/0/media/id' },
    params: ChatParams,
    response: ListOf(SandboxChatMessage),
  }),
  say: endpoint('POST /api/sandbox/whatsapp/chats/:number/:person', 'user', {
    summary: 'Act as the person: send text or an image, tap a button, read, or stop or resume promotions',
    status: 201,
    params: ChatParams,
    body: z.strictObject({ deed: Deed }),
    response: Empty,
  }),
  sendFile: endpoint('POST /api/sandbox/whatsapp/chats/:number/:person/files', 'user', {
    summary: 'Send an image, video, audio or document as the person, 16 MB at most',
    status: 201,
    params: ChatParams,
    query: z.object({ caption: z.string().max(1_024).default('') }),
    form: z.strictObject({
      file: formFile('The file', {
        max: FILE_LIMIT,
        missing: 'is required',
        tooLarge: () => 'The file is larger than 16 MB. Nothing was sent.',
      }),
    }),
    response: Empty,
  }),
  media: endpoint('GET /api/sandbox/whatsapp/media/:id', 'user', {
    types: ['*/*'],
    summary: 'Get a file of a chat',
    transport: 'file',
    params: z.object({ id: z.string().regex(/^\d{1,32}$/) }),
  }),
  templates: endpoint('GET /api/sandbox/whatsapp/templates', 'user', {
    refusals: [403],
    summary: 'List the templates of the sandbox numbers of this workspace, as reviewers at Meta see them',
    rules: IS_FOR_ADMINS,
    query: AdminFilter,
    response: z.object({ items: z.array(SandboxTemplate), nextCursor: z.null(), byHand: z.boolean() }),
  }),
  reviewByHand: endpoint('PUT /api/sandbox/whatsapp/review-by-hand', 'user', {
    summary: 'Set whether new templates are reviewed manually or automatically after a moment',
    body: z.strictObject({ byHand: z.boolean() }),
    response: Empty,
  }),
  quality: endpoint('POST /api/sandbox/whatsapp/templates/:name/quality', 'user', {
    summary: 'Set the quality of a template, as Meta would',
    params: z.object({ name: z.string().min(1).max(512) }),
    body: z.strictObject({ quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']) }),
    response: Empty,
  }),
  review: endpoint('POST /api/sandbox/whatsapp/templates/:name/review', 'user', {
    summary: 'Review a template, as Meta would',
    params: z.object({ name: z.string().min(1).max(512) }),
    body: z.strictObject({
      status: z.enum(['APPROVED', 'REJECTED', 'PAUSED', 'DISABLED']),
      language: z.string().max(10).optional(),
      /** Of this business only. */
      businessAccountId: z.string().max(32).optional(),
      reason: z.string().max(200).default(''),
    }),
    response: Empty,
  }),
}
