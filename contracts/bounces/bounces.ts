import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'

/** Services that report bounces by webhook; `generic` is any other that signs as our documentation says. */
export const WebhookKind = z.enum(['ses', 'sendgrid', 'postmark', 'mailgun', 'generic'])
export type WebhookKind = z.infer<typeof WebhookKind>

/**
 * `listener`: mail servers return bounces to this installation, which listens for them (BOUNCE_SMTP_PORT). `imap`: they come to a
 * mailbox, which is read.
 */
export const BounceSourceKind = z.enum([...WebhookKind.options, 'listener', 'imap'])
export type BounceSourceKind = z.infer<typeof BounceSourceKind>

/** The user name in the webhook URL of Postmark; the secret is the password (RFC 7617). */
export const POSTMARK_USER = 'postlark'

const MailboxFields = {
  host: z.string().trim().min(1, 'is required').max(253),
  port: z.number().int().min(1).max(65_535),
  secure: z.enum(['tls', 'starttls', 'none']),
  user: Line(254).min(1, 'is required'),
  folder: Line(200).min(1, 'is required'),
}
/** A mailbox that bounces come to. */
export const BounceMailbox = z.object(MailboxFields)
export type BounceMailbox = z.infer<typeof BounceMailbox>

/** Where bounces and complaints are learned of after an email was accepted. Its key never comes back. */
export const BounceSource = z.object({
  id: Id,
  kind: BounceSourceKind,
  name: z.string(),
  /** Of `imap`; null of other kinds. Its password never comes back. */
  mailbox: BounceMailbox.nullable(),
  /** Of `ses`: the SNS topic whose messages count; null of other kinds. */
  topicArn: z.string().nullable(),
  /** `waiting`: nothing has come yet; `failing`: the mailbox cannot be read. */
  state: z.enum(['waiting', 'receiving', 'failing']),
  /** One sentence about the state. */
  stateText: z.string(),
  /** Where the service is to send its events; null: it calls nothing here. */
  webhookUrl: z.string().nullable(),
  /** Of `listener`: where mailbox providers are to send complaints (feedback loops); null of other kinds. */
  address: z.string().nullable(),
  receivedAt: Moment.nullable(),
  createdAt: Moment,
})
export type BounceSource = z.infer<typeof BounceSource>

/** What signs the events of a source, or opens its mailbox. */
const KeyFields = {
  key: Line(1_000),
  topicArn: Line(400),
  ...MailboxFields,
  password: z.string().min(1, 'is required').max(1_000),
}

/**
 * A new source; `key` is what SendGrid and Mailgun sign with, as they show it, `topicArn` the SNS topic of Amazon SES. For other
 * services a secret is made here. `imap` needs host, user and password; the port is 993 and the folder INBOX unless they are given.
 */
const NewBounceSource = z
  .strictObject({ kind: BounceSourceKind, ...z.object({ name: Line(120), ...KeyFields }).partial().shape })
  .meta({
    anyOf: [
      { properties: { kind: { const: 'mailgun' }, key: { minLength: 1, pattern: '\\S' } }, required: ['key'] },
      {
        properties: { kind: { const: 'ses' }, key: false, topicArn: { minLength: 1, pattern: '\\S' } },
        required: ['topicArn'],
      },
      { properties: { kind: { const: 'imap' }, key: false }, required: ['host', 'user', 'password'] },
      { properties: { kind: { enum: ['postmark', 'generic', 'listener'] }, key: false } },
    ],
  })

/** A source with the secret that was made for it, this once; null: none was. */
const WithSecret = BounceSource.extend({
  /** What requests are signed with; null where the service has a key of its own, calls nothing here, or its secret was not made now. */
  secret: z.string().nullable(),
})

export const bounceSources = {
  list: endpoint('GET /api/bounce-sources', 'user', {
    summary: 'List the bounce sources of this workspace',
    query: PageQuery,
    response: PageOf(BounceSource),
  }),
  create: endpoint('POST /api/bounce-sources', 'user', {
    refusals: [409],
    summary:
      'Add a bounce source; the response has its webhook URL, and the secret of kinds that are given one, this once',
    status: 201,
    body: NewBounceSource,
    response: WithSecret,
    rules:
      '`ses` needs topicArn, and no other kind has one. The key of SendGrid is the verification key of its signed event webhook: a public key in base64. `listener` is refused with 409 `not_configured` where the operator has not set BOUNCE_SMTP_PORT.',
  }),
  get: endpoint('GET /api/bounce-sources/:id', 'user', {
    summary: 'Get a bounce source',
    gives: { under: ['/api/inbound'], pointer: '/kind', others: { sourceId: '/id' } },
    params: IdParams,
    response: BounceSource,
  }),
  update: endpoint('PATCH /api/bounce-sources/:id', 'user', {
    summary:
      'Change a bounce source: its name, the key or topic of its service, or its mailbox; newSecret makes another secret. What it had no longer works',
    params: IdParams,
    body: z
      .strictObject({
        name: Line(120).min(1, 'is required'),
        ...KeyFields,
        /** Of kinds whose secret is made here: another one is made, and is in the response. */
        newSecret: z.literal(true),
      })
      .partial(),
    response: WithSecret,
    rules: 'Another host, port or user of a mailbox needs its password again.',
  }),
  test: endpoint('POST /api/bounce-sources/:id/test', 'user', {
    refusals: [429],
    summary: 'Tell whether a bounce source has received anything; a mailbox is opened for it',
    params: IdParams,
    response: z.object({ ok: z.boolean(), message: z.string() }),
  }),
  remove: endpoint('DELETE /api/bounce-sources/:id', 'user', {
    summary: 'Delete a bounce source; what it reported stays',
    params: IdParams,
    response: Empty,
  }),
}

export const inbound = {
  receive: endpoint('POST /api/inbound/:kind/:sourceId', 'public', {
    refusals: [401, 503],
    types: ['application/json'],
    summary:
      'Receive events of a bounce source; the signature is checked over the raw body, and a repeat changes nothing',
    transport: 'file',
    params: z.object({ kind: WebhookKind, sourceId: Id }),
  }),
}
