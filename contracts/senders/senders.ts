import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { GmailAccount, gmailPerMinute } from '#contracts/gmail/gmail.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'
import { NewReceiverLimits, ReceiverLimit, SlowedReceiver } from './receivers.ts'

/** null is without a limit. `perDay` holds in every rolling 24 hours, `perSecond` and `perMinute` (Gmail accounts only) in every sliding one. */
export const SenderLimits = z.strictObject({
  perSecond: z.number().positive('must be more than 0').max(1_000, 'must be 1,000 or less').nullable().optional(),
  perDay: z
    .number()
    .int()
    .min(1, 'must be 1 or more')
    .max(1_000_000, 'must be 1,000,000 or less')
    .nullable()
    .optional(),
  perMinute: z
    .number()
    .min(0.1, 'must be 0.1 or more')
    .max(gmailPerMinute.max, `must be ${gmailPerMinute.max} or less`)
    .optional(),
  connections: z.number().int().min(1, 'must be 1 or more').max(50, 'must be 50 or less').optional(),
})

/** A sender of one kind; `gmail` is what only a Gmail account has. */
const senderSchema = <K extends string, G extends z.ZodType>(kind: K, gmail: G) =>
  z.object({
    id: Id,
    kind: z.literal(kind),
    name: z.string(),
    isDefault: z.boolean(),
    /** Connection details are null for the default sender, which uses SMTP_URL, and for a Gmail account. Credentials never come back. */
    host: z.string().nullable(),
    port: z.number().int().nullable(),
    secure: z.enum(['tls', 'starttls', 'none']).nullable(),
    user: z.string().nullable(),
    hasPassword: z.boolean(),
    fromName: z.string(),
    fromEmail: z.string(),
    /** false: nothing is sent until the mailbox of fromEmail confirmed it. Only of the default sender. */
    fromConfirmed: z.boolean(),
    limits: z.object({
      perSecond: z.number().nullable(),
      perDay: z.number().int().nullable(),
      perMinute: z.number().nullable(),
      connections: z.number().int(),
    }),
    gmail,
    state: z.enum(['untested', 'working', 'failing']),
    stateText: z.string(),
    /** Receivers that refuse it, a mail operator such as google or a domain: nothing is sent to them until then. */
    pausedReceivers: z.array(
      z.object({
        receiver: z.string(),
        until: Moment,
        response: z.string(),
        /** What to do where authentication is missing (SPF, DKIM, DMARC); '' for other refusals. */
        fix: z.string(),
      }),
    ),
    /** Its ramp-up, while it lasts: the day it is on (from 1), what any 24 hours may hold now, and each day's limit. null: none. */
    rampPlan: z
      .object({
        days: z.number().int(),
        day: z.number().int(),
        limit: z.number().int(),
        curve: z.array(z.number().int()),
        /** When its first email left; null: day 1 has not begun. */
        startedAt: Moment.nullable(),
        /** It stays on its day, since when and why: too many emails bounced, were refused as unwanted or reported as spam. null: it goes on. */
        held: z.object({ at: Moment, text: z.string() }).nullable(),
      })
      .nullable(),
    /** How fast it sends to receivers, beside its own limits. */
    receiverLimits: z.array(ReceiverLimit),
    /** Receivers that asked for fewer emails. */
    slowedReceivers: z.array(SlowedReceiver),
    checkedAt: Moment.nullable(),
    createdAt: Moment,
  })

const SmtpSender = senderSchema('smtp', z.null())
const GmailSender = senderSchema('gmail', GmailAccount)
export type GmailSender = z.infer<typeof GmailSender>

export const Sender = z.discriminatedUnion('kind', [SmtpSender, GmailSender])
export type Sender = z.infer<typeof Sender>

const Host = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(253)
  .regex(/^(\[?[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\]?|[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?)$/, 'is not a host name or address')
const Port = z.number().int().min(1).max(65_535)
const Fields = {
  name: Line(120),
  host: Host,
  port: Port,
  secure: z.union([z.enum(['tls', 'starttls', 'none']), z.boolean()]),
  user: Line(254),
  password: z.string().max(1_000),
  fromName: Line(80),
  fromEmail: Email,
  limits: SenderLimits,
  /** Of mail servers: how fast each receiver is sent to; those given, and no others. */
  receiverLimits: NewReceiverLimits,
}

const NewSmtp = z.strictObject({
  kind: z.literal('smtp').optional(),
  name: Fields.name.optional(),
  host: Fields.host,
  port: Fields.port.default(587),
  secure: Fields.secure.default('starttls'),
  user: Fields.user.optional(),
  password: Fields.password.optional(),
  fromName: Fields.fromName.default(''),
  fromEmail: Fields.fromEmail,
  limits: Fields.limits.optional(),
  receiverLimits: Fields.receiverLimits.optional(),
})
const NewGmail = z.strictObject({
  kind: z.literal('gmail'),
  /** The account's whole address. */
  email: Email,
  /** 16 letters from Google, spaces or not. */
  appPassword: z
    .string()
    .meta({ pattern: '^\\s*([A-Za-z]\\s*){16}$' })
    .transform((text) => text.replace(/\s+/g, ''))
    .pipe(z.string().regex(/^[a-z]{16}$/i, 'is 16 letters, as Google shows it')),
  /** That the mailbox may be looked into for replies and bounces, over IMAP with the same password. Without it they stay unknown. */
  reads: z.boolean().default(false),
  name: Fields.name.optional(),
  fromName: Fields.fromName.default(''),
  rampUp: z.boolean().default(true),
  limits: SenderLimits.extend({
    perSecond: z.null('is set by the minute: use perMinute').optional(),
    connections: z.literal(1, 'is 1 for a Gmail account').optional(),
  }).optional(),
})

/** How a test went: the kind says which step failed. */
const TestResult = z.object({
  ok: z.boolean(),
  kind: z.enum(['ok', 'dns', 'refused', 'timeout', 'tls', 'auth', 'greeting', 'rejected', 'unknown']),
  message: z.string(),
  response: z.string(),
})

export const senders = {
  list: endpoint('GET /api/senders', 'user', {
    summary: 'List the senders of this workspace; it starts with a default sender on SMTP_URL',
    query: PageQuery,
    response: PageOf(Sender),
  }),
  create: endpoint('POST /api/senders', 'user', {
    refusals: [402, 409, 429],
    summary:
      'Add an SMTP server, or a Gmail account by app password (by OAuth: POST /api/gmail/connect). It is tried with a real connection; its state says whether it works',
    status: 201,
    paidIf: { kind: ['gmail'] },
    body: z.discriminatedUnion('kind', [NewSmtp, NewGmail]),
    response: Sender,
  }),
  get: endpoint('GET /api/senders/:id', 'user', { summary: 'Get a sender', params: IdParams, response: Sender }),
  update: endpoint('PATCH /api/senders/:id', 'user', {
    refusals: [409, 429],
    summary:
      'Change a sender; of the default one only fromName, fromEmail (outside the domain of MAIL_FROM it is confirmed by email first) and limits, of a Gmail account name, fromName, limits, rampUp, its app password and whether that may read (reads)',
    params: IdParams,
    body: z
      .strictObject({
        ...Fields,
        rampUp: z.boolean(),
        /** Of a Gmail account by app password only: whether its mailbox may be looked into. At Google it is chosen there. */
        reads: z.boolean(),
      })
      .partial(),
    response: Sender,
  }),
  confirmation: endpoint('POST /api/senders/:id/confirmation', 'user', {
    refusals: [409, 429],
    summary: 'Resend the email that confirms the From address of the default sender',
    params: IdParams,
    status: 202,
    response: z.object({ message: z.string() }),
  }),
  remove: endpoint('DELETE /api/senders/:id', 'user', {
    refusals: [409],
    summary: 'Delete a sender that no running campaign uses; a Gmail account is also disconnected at Google',
    params: IdParams,
    response: Empty,
  }),
  release: endpoint('POST /api/senders/:id/release', 'user', {
    refusals: [409],
    summary: 'Unblock a Gmail account that was stopped because its emails were refused as spam',
    params: IdParams,
    response: Sender,
  }),
  startRamp: endpoint('POST /api/senders/:id/ramp-plan', 'user', {
    refusals: [409],
    summary: 'Start a ramp-up of a mail server: a limit per day that grows for 14 or 30 days from its next email on',
    params: IdParams,
    body: z.strictObject({ days: z.literal([14, 30]) }),
    response: Sender,
  }),
  stopRamp: endpoint('DELETE /api/senders/:id/ramp-plan', 'user', {
    refusals: [409],
    summary: 'Stop the ramp-up of a mail server',
    params: IdParams,
    response: Sender,
  }),
  test: endpoint('POST /api/senders/:id/test', 'user', {
    refusals: [402, 409, 429],
    summary: 'Connect, sign in and send one real message',
    params: IdParams,
    body: z.strictObject({ to: Email }),
    response: TestResult,
  }),
}
