import { z } from 'zod'
import { Id, Moment, TimeZone } from '#contracts/values.ts'

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is a time such as 09:00')
/** The hours in which a Gmail campaign sends, by the clocks of `timeZone` (IANA). Days: 1 is Monday, 7 Sunday. */
export const SendingWindow = z
  .strictObject({
    days: z.array(z.number().int().min(1).max(7)).min(1, 'needs at least one day').max(7),
    from: ClockTime,
    to: z.union([ClockTime, z.literal('24:00')]),
    timeZone: TimeZone.min(1),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be later than the beginning' })
  .meta({
    description: '`to` is later than `from`',
    examples: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timeZone: 'Europe/Berlin' }],
  })
export type SendingWindow = z.infer<typeof SendingWindow>

/**
 * When a Gmail campaign that sends goes on, worked out from its hours, the pace and the limits of its accounts, and what
 * waits. It is about: pauses vary, Google may ask for a rest, and other campaigns may share an account.
 */
export const Forecast = z.object({
  /** The next message, and which it is: 1 a first email, 2 and more a follow-up. */
  nextAt: Moment,
  nextStep: z.number().int(),
  /** The last of the first emails; null: none waits, or there are too many to tell. */
  lastAt: Moment.nullable(),
  /** The last follow-up if nobody stops any; null: none, or too many to tell. */
  lastFollowUpAt: Moment.nullable(),
  /** Another campaign sends through one of its accounts. */
  isShared: z.boolean(),
  /** Of its sending hours; null: it has none. */
  timeZone: z.string().nullable(),
})
export type Forecast = z.infer<typeof Forecast>

/** A file that goes out with every message. `size` in bytes. */
export const Attachment = z.object({ id: Id, name: z.string(), type: z.string(), size: z.number().int() })
export type Attachment = z.infer<typeof Attachment>

const Key = z.string().regex(/^(header|body\.\w{1,64}|button\.\d{1,2})$/, 'is not a variable of a template')
/** The value of one variable of a WhatsApp template (TemplateVariable.key). */
export const WhatsAppValue = z.discriminatedUnion('from', [
  /** The same for everybody; of a media header an https address. */
  z.strictObject({ from: z.literal('text'), text: z.string().trim().max(2_000) }),
  /** Of the contact: name, first_name (the name's first word), email, phone or attributes.company; `fallback` where they have none. */
  z.strictObject({
    from: z.literal('field'),
    field: z.string().regex(/^(name|first_name|email|phone|attributes\.\P{Cc}{1,64})$/u, 'is not a field of a contact'),
    fallback: z.string().trim().max(200).default(''),
  }),
  /** Of a media header: a file of POST /api/whatsapp/media, which Meta keeps for 30 days. */
  z.strictObject({
    from: z.literal('media'),
    mediaId: z.string().regex(/^\d{1,40}$/, 'is not an uploaded file'),
    fileName: z.string().trim().max(240).default(''),
  }),
])
export type WhatsAppValue = z.infer<typeof WhatsAppValue>

/** What a WhatsApp campaign says: through which number, which template (a row is one language), and the values of its variables. */
export const WhatsAppContent = z.strictObject({
  /** Of GET /api/whatsapp/accounts. */
  accountId: Id.nullable().default(null),
  /** Of GET /api/whatsapp/templates; it must be of the same business account. */
  templateId: Id.nullable().default(null),
  /** By TemplateVariable.key: header, body.1, body.first_name, button.0. */
  variables: z.record(Key, WhatsAppValue).default({}),
})
export type WhatsAppContent = z.infer<typeof WhatsAppContent>

/** The rows a campaign goes to: who is among them is known once the import is done. */
export const MergedRows = z.object({
  importId: Id,
  listId: Id.nullable(),
  fileName: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  /** Rows dealt with so far, and those that could not be used: GET /api/imports/:id lists them. */
  total: z.number().int(),
  bad: z.number().int(),
  /** People among them, each once: rows that name one again are counted in `total` only. */
  people: z.number().int(),
  /** What its columns are in Liquid, without braces: email, name, attributes.company. */
  fields: z.array(z.string()),
})
export type MergedRows = z.infer<typeof MergedRows>

const count = z.number().int()

/** The fields only a Gmail campaign has. */
export const OfGmail = {
  /** The Gmail accounts it goes through in turn. */
  senderIds: z.array(Id),
  /** When it may send, and whether a day's messages are spread over that time. */
  window: SendingWindow.nullable(),
  spread: z.boolean(),
  attachments: z.array(Attachment),
  /** The spreadsheet it goes to, instead of lists chosen by hand. */
  merge: MergedRows.nullable(),
  /** Through how many of its accounts replies and bounces can be seen. Not through all: some stay unknown. */
  reads: z.enum(['all', 'some', 'none']),
  /** People who answered, its follow-ups included; null: unknown, because no account of it may be read. */
  replied: count.nullable(),
  /** While it sends, of one campaign and not in a list of campaigns: when it goes on. */
  forecast: Forecast.nullable(),
}

/** The same of campaigns over other channels. */
export const NotGmail = {
  senderIds: z.array(Id).max(0),
  window: z.null(),
  spread: z.literal(false),
  attachments: z.array(Attachment).max(0),
  merge: z.null(),
  reads: z.null(),
  replied: z.null(),
  forecast: z.null(),
}

/** The fields only a WhatsApp campaign has. */
export const OfWhatsApp = {
  /** What it says. */
  whatsapp: WhatsAppContent,
  /** The template as it is now; null when none or gone. */
  whatsappTemplate: z
    .object({ id: Id, name: z.string(), language: z.string(), category: z.string(), status: z.string() })
    .nullable(),
  /** What Meta told of the messages that were sent; `replied` within 72 hours. */
  delivery: z.object({ delivered: count, read: count, replied: count }),
}

/** The fields only the messages of one channel have, null for others: first those of WhatsApp, then those of Gmail. */
export const MessageOfChannels = {
  /** Meta tells nothing of reading where the person switched it off. */
  deliveredAt: Moment.nullable(),
  readAt: Moment.nullable(),
  /** Meta's code of what went wrong. */
  errorCode: z.number().int().nullable(),
  /** When a person, not a machine, first replied; null also where replies cannot be read. */
  repliedAt: Moment.nullable(),
}

/** The same of campaigns over other channels. */
export const NotWhatsApp = { whatsapp: z.null(), whatsappTemplate: z.null(), delivery: z.null() }
