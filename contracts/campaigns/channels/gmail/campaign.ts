import { z } from 'zod'
import { Id, Moment, TimeZone } from '#contracts/values.ts'

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is a time such as 09:00')
/** The hours in which an email or Gmail campaign sends, by the clocks of `timeZone` (IANA). Days: 1 is Monday, 7 Sunday. */
export const SendingWindow = z
  .strictObject({
    days: z.array(z.number().int().min(1).max(7)).min(1, 'needs at least one day').max(7),
    from: ClockTime,
    to: z.union([ClockTime, z.literal('24:00')]),
    timeZone: TimeZone.min(1),
    zoneField: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Email campaigns: the custom field that names the time zone of a contact, whose own clock then counts; `timeZone` is for those without one',
      ),
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
