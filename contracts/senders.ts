import { z } from 'zod'
import { Email } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from './values.ts'

/** null is without a limit. `perDay` holds in every rolling 24 hours, `perSecond` in every sliding second. */
export const SenderLimits = z.strictObject({
  perSecond: z.number().positive('must be more than 0').max(1_000, 'must be 1,000 or less').nullable().optional(),
  perDay: z
    .number()
    .int()
    .min(1, 'must be 1 or more')
    .max(1_000_000, 'must be 1,000,000 or less')
    .nullable()
    .optional(),
  connections: z.number().int().min(1, 'must be 1 or more').max(50, 'must be 50 or less').optional(),
})

export const Sender = z.object({
  id: Id,
  kind: z.enum(['smtp', 'gmail']),
  name: z.string(),
  isDefault: z.boolean(),
  /** Connection details are null for the default sender, which uses SMTP_URL. Credentials never come back. */
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  secure: z.enum(['tls', 'starttls', 'none']).nullable(),
  user: z.string().nullable(),
  hasPassword: z.boolean(),
  fromName: z.string(),
  fromEmail: z.string(),
  limits: z.object({
    perSecond: z.number().nullable(),
    perDay: z.number().int().nullable(),
    connections: z.number().int(),
  }),
  state: z.enum(['untested', 'working', 'failing']),
  stateText: z.string(),
  checkedAt: Moment.nullable(),
  createdAt: Moment,
})
export type Sender = z.infer<typeof Sender>

const Host = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(253)
  .regex(/^[A-Za-z0-9.:_[\]-]+$/, 'is not a host name or address')
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
}

/** How a test went: the kind says which step failed. */
const TestResult = z.object({
  ok: z.boolean(),
  kind: z.enum(['ok', 'dns', 'refused', 'timeout', 'tls', 'auth', 'greeting', 'rejected', 'unknown']),
  message: z.string(),
  response: z.string(),
})

export const senders = {
  list: endpoint('GET /api/senders', 'user', {
    summary: 'The senders of this workspace; it starts with a default one on SMTP_URL',
    query: PageQuery,
    answer: PageOf(Sender),
  }),
  create: endpoint('POST /api/senders', 'user', {
    summary: 'Add an SMTP server. It is tried with a real connection; its state says whether it works',
    status: 201,
    paidIf: { kind: ['gmail'] },
    body: z.strictObject({
      kind: z.literal('smtp').default('smtp'),
      name: Fields.name.optional(),
      host: Fields.host,
      port: Fields.port.default(587),
      secure: Fields.secure.default('starttls'),
      user: Fields.user.optional(),
      password: Fields.password.optional(),
      fromName: Fields.fromName.default(''),
      fromEmail: Fields.fromEmail,
      limits: Fields.limits.optional(),
    }),
    answer: Sender,
  }),
  get: endpoint('GET /api/senders/:id', 'user', { summary: 'One sender', params: IdParams, answer: Sender }),
  update: endpoint('PATCH /api/senders/:id', 'user', {
    summary: 'Change a sender; of the default one only fromName, fromEmail and limits',
    params: IdParams,
    body: z.strictObject({
      name: Fields.name.optional(),
      host: Fields.host.optional(),
      port: Fields.port.optional(),
      secure: Fields.secure.optional(),
      user: Fields.user.optional(),
      password: Fields.password.optional(),
      fromName: Fields.fromName.optional(),
      fromEmail: Fields.fromEmail.optional(),
      limits: Fields.limits.optional(),
    }),
    answer: Sender,
  }),
  remove: endpoint('DELETE /api/senders/:id', 'user', {
    summary: 'Remove a sender that no running campaign uses',
    params: IdParams,
    answer: Empty,
  }),
  test: endpoint('POST /api/senders/:id/test', 'user', {
    summary: 'Connect, sign in and send one real message',
    params: IdParams,
    body: z.strictObject({ to: Email }),
    answer: TestResult,
  }),
}
