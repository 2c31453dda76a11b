import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'

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

export const WhatsAppNumber = z.object({
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
export type WhatsAppNumber = z.infer<typeof WhatsAppNumber>

/** One value, tried with a real call. `ok` null: not tried, because one before it was wrong. */
export const CredentialCheck = z.object({
  field: z.enum(['phoneNumberId', 'businessAccountId', 'accessToken', 'appSecret', 'webhook']),
  ok: z.boolean().nullable(),
  message: z.string(),
})
export type CredentialCheck = z.infer<typeof CredentialCheck>

export const whatsappNumbers = {
  list: endpoint('GET /api/whatsapp/accounts', 'user', {
    summary: 'List the WhatsApp numbers of this workspace. `configured` is false if this installation has no WhatsApp',
    query: PageQuery,
    response: PageOf(WhatsAppNumber).extend({ configured: z.boolean(), sandbox: z.boolean() }),
  }),
  check: endpoint('POST /api/whatsapp/accounts/check', 'user', {
    refusals: [409, 429],
    summary: 'Check each value with a real call; nothing is stored',
    body: z.strictObject(Credentials),
    response: z.object({
      ok: z.boolean(),
      checks: z.array(CredentialCheck),
      displayPhone: z.string(),
      verifiedName: z.string(),
    }),
  }),
  create: endpoint('POST /api/whatsapp/accounts', 'user', {
    refusals: [409, 429],
    summary: 'Connect a number. It is stored only if every value is correct; an incorrect value is named (400)',
    status: 201,
    body: z.strictObject({ name: Line(120).optional(), ...Credentials }),
    response: WhatsAppNumber,
  }),
  get: endpoint('GET /api/whatsapp/accounts/:id', 'user', {
    summary: 'Get a number',
    params: IdParams,
    response: WhatsAppNumber,
  }),
  update: endpoint('PATCH /api/whatsapp/accounts/:id', 'user', {
    refusals: [409, 429],
    summary: 'Rename a number, or replace its token or secret, which are checked first',
    params: IdParams,
    body: z.strictObject({
      name: Line(120).optional(),
      accessToken: Credentials.accessToken.optional(),
      appSecret: Credentials.appSecret.optional(),
    }),
    response: WhatsAppNumber,
  }),
  refresh: endpoint('POST /api/whatsapp/accounts/:id/refresh', 'user', {
    refusals: [409, 429],
    summary: 'Sync quality, limits and the webhook of a number from Meta',
    params: IdParams,
    response: WhatsAppNumber,
  }),
  remove: endpoint('DELETE /api/whatsapp/accounts/:id', 'user', {
    refusals: [409],
    summary: 'Disconnect a number; its conversations are deleted, opt-outs are retained',
    params: IdParams,
    response: Empty,
  }),
}
