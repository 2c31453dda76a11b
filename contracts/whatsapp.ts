import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from './values.ts'

/** Meta's ids are digits; as text, because they are wider than a JSON number. */
export const MetaId = z
  .string()
  .trim()
  .regex(/^\d{1,32}$/, 'is a number of digits only, as Meta shows it')
const Secret = (name: string) =>
  z
    .string()
    .trim()
    .min(1, 'is required')
    .max(1_000, `is too long for ${name}`)
    .regex(/^[\x21-\x7e]+$/, 'has a space or a character that cannot be in it')

const Credentials = {
  phoneNumberId: MetaId,
  businessAccountId: MetaId,
  accessToken: Secret('a token'),
  appSecret: Secret('a secret'),
}

export const WhatsAppAccount = z.object({
  id: Id,
  name: z.string(),
  phoneNumberId: z.string(),
  businessAccountId: z.string(),
  /** As Meta shows it, such as +49 30 23125 101. */
  displayPhone: z.string(),
  verifiedName: z.string(),
  quality: z.enum(['green', 'yellow', 'red', 'unknown']),
  /** Meta's word for the messaging limit, such as TIER_250; empty where it said none. */
  tier: z.string(),
  /** People who may be written to first in a rolling 24 hours, over all numbers of the portfolio; null: unknown or without a limit. */
  dailyLimit: z.number().int().nullable(),
  /** How many of them were written to in the last 24 hours. */
  usedToday: z.number().int(),
  /** Messages a second, in and out together. */
  perSecond: z.number().int(),
  /** reconnect: the token no longer counts; restricted: Meta stopped the number; failing: the last call failed. */
  state: z.enum(['working', 'failing', 'reconnect', 'restricted']),
  stateText: z.string(),
  checkedAt: Moment.nullable(),
  /** What is entered at Meta, unless Meta took it from us (`subscribed`). */
  webhook: z.object({
    url: z.string(),
    verifyToken: z.string(),
    subscribed: z.boolean(),
    lastAt: Moment.nullable(),
  }),
  templatesAt: Moment.nullable(),
  createdAt: Moment,
})
export type WhatsAppAccount = z.infer<typeof WhatsAppAccount>

/** One value, tried with a real call. `ok` null: not tried, because one before it was wrong. */
export const CredentialCheck = z.object({
  field: z.enum(['phoneNumberId', 'businessAccountId', 'accessToken', 'appSecret', 'webhook']),
  ok: z.boolean().nullable(),
  message: z.string(),
})
export type CredentialCheck = z.infer<typeof CredentialCheck>

export const whatsappAccounts = {
  list: endpoint('GET /api/whatsapp/accounts', 'user', {
    summary: 'The WhatsApp numbers of this workspace. `configured` false: this installation has no WhatsApp',
    query: PageQuery,
    answer: PageOf(WhatsAppAccount).extend({ configured: z.boolean(), sandbox: z.boolean() }),
  }),
  check: endpoint('POST /api/whatsapp/accounts/check', 'user', {
    summary: 'Try each value with a real call; nothing is kept',
    body: z.strictObject(Credentials),
    answer: z.object({
      ok: z.boolean(),
      checks: z.array(CredentialCheck),
      displayPhone: z.string(),
      verifiedName: z.string(),
    }),
  }),
  create: endpoint('POST /api/whatsapp/accounts', 'user', {
    summary: 'Connect a number. Kept only when every value is right; a wrong one is named (400)',
    status: 201,
    body: z.strictObject({ name: Line(120).optional(), ...Credentials }),
    answer: WhatsAppAccount,
  }),
  get: endpoint('GET /api/whatsapp/accounts/:id', 'user', {
    summary: 'One number',
    params: IdParams,
    answer: WhatsAppAccount,
  }),
  update: endpoint('PATCH /api/whatsapp/accounts/:id', 'user', {
    summary: 'Rename it, or give it a new token or secret, which are tried first',
    params: IdParams,
    body: z.strictObject({
      name: Line(120).optional(),
      accessToken: Credentials.accessToken.optional(),
      appSecret: Credentials.appSecret.optional(),
    }),
    answer: WhatsAppAccount,
  }),
  refresh: endpoint('POST /api/whatsapp/accounts/:id/refresh', 'user', {
    summary: 'Ask Meta again for quality, limits and the webhook',
    params: IdParams,
    answer: WhatsAppAccount,
  }),
  remove: endpoint('DELETE /api/whatsapp/accounts/:id', 'user', {
    summary: 'Disconnect a number; its conversations go, what people opted out of stays',
    params: IdParams,
    answer: Empty,
  }),
}

/** How consent was given: over a form, by writing to us, on paper, in a call, face to face, with a purchase. */
export const OptInHow = z.enum(['form', 'conversation', 'paper', 'call', 'in_person', 'purchase', 'other'])

/** What a consent covers, in Meta's categories of templates. */
export const ConsentPurpose = z.enum(['marketing', 'utility', 'authentication'])
export type ConsentPurpose = z.infer<typeof ConsentPurpose>

export const OptIn = z.object({
  id: Id,
  contactId: Id,
  /** The number it was given for; empty where the person is known by Meta's scoped id alone. */
  phone: z.string(),
  bsuid: z.string().nullable(),
  how: OptInHow,
  /** In words, as the person was told. */
  purpose: z.string(),
  /** The kinds of templates it covers; null: recorded before kinds were told apart, it covers all as it did. */
  covers: z.array(ConsentPurpose).nullable(),
  wording: z.string(),
  evidence: z.string(),
  givenAt: Moment,
  recordedAt: Moment,
  recordedBy: z.string(),
  /** Whether it still counts: for the number the contact has now, and not taken back since. */
  counts: z.boolean(),
})
export type OptIn = z.infer<typeof OptIn>

const text = (max: number) => z.string().trim().max(max)
const Proof = {
  how: OptInHow,
  purpose: Line(300).min(3, 'is required: for what may they be written to?'),
  covers: z
    .array(ConsentPurpose)
    .min(1, 'needs at least one: what did they agree to?')
    .transform((kinds) => [...new Set(kinds)].toSorted()),
  wording: text(2_000).default(''),
  evidence: text(1_000).default(''),
  givenAt: Moment,
}

/** A consent as it is recorded: how it was given, for what, when, in which words, and where the proof is. */
export const ConsentProof = z.strictObject(Proof)

export const whatsappOptIns = {
  list: endpoint('GET /api/whatsapp/opt-ins', 'user', {
    summary: 'Recorded consents, newest first',
    query: PageQuery.extend({ contactId: Id.optional() }),
    answer: PageOf(OptIn),
  }),
  create: endpoint('POST /api/whatsapp/opt-ins', 'user', {
    summary: 'Record consent people gave: up to 1,000 contacts with one proof. Rows are never changed',
    status: 201,
    body: z.strictObject({ contactIds: z.array(Id).min(1).max(1_000), ...Proof }),
    answer: z.object({
      recorded: z.number().int(),
      /** Contacts without a phone number and a scoped id, or who took their consent back themselves: nothing was recorded for them. */
      skipped: z.array(z.object({ contactId: Id, reason: z.enum(['no_phone', 'opted_out', 'unknown']) })),
    }),
  }),
  state: endpoint('GET /api/whatsapp/opt-ins/summary', 'user', {
    summary: 'How many of the members of lists have a phone number, a consent that counts, or opted out',
    query: z.object({ listIds: z.string().max(2_000).describe('ids, comma-separated') }),
    answer: z.object({
      members: z.number().int(),
      withPhone: z.number().int(),
      /** Known to WhatsApp by Meta's scoped id alone: everything but authentication templates reaches them. */
      scopedOnly: z.number().int(),
      optedIn: z.number().int(),
      /** Of those opted in: whose consent covers each kind of template. */
      covers: z.object({ marketing: z.number().int(), utility: z.number().int(), authentication: z.number().int() }),
      optedOut: z.number().int(),
      /** Found by the collector and without a consent of their own. */
      collected: z.number().int(),
    }),
  }),
}

export const whatsapp = {
  verify: endpoint('GET /api/whatsapp/webhook', 'public', {
    summary: 'Meta asks whether this address is ours: answers hub.challenge when hub.verify_token is right, else 403',
    transport: 'file',
    query: z.object({
      'hub.mode': z.string().max(50).optional(),
      'hub.challenge': z.string().max(500).optional(),
      'hub.verify_token': z.string().max(500).optional(),
    }),
  }),
  webhook: endpoint('POST /api/whatsapp/webhook', 'public', {
    summary: 'What happened at Meta; X-Hub-Signature-256 is checked over the raw body',
    transport: 'file',
  }),
}
