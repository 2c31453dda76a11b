import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { jsonField } from '#contracts/form-file.ts'
import { Id, IdParams, Moment, PageOf, PageQuery } from '#contracts/values.ts'

const NOT_A_MAPPING = 'is not a JSON object of column name to field name'

/** What the columns of a file hold, as JSON in a form: column name to email, phone, name, first_name, last_name, tags or the name of an attribute. */
export const Mapping = jsonField(
  z.record(z.string(), z.string(NOT_A_MAPPING).nullable(), NOT_A_MAPPING),
  'of column name to field name',
).describe(
  'JSON of column name to email, phone, name, first_name, last_name, tags or an attribute name; guessed where it is not given. A cell of tags names several, with commas between them',
)

/** Whether a double opt-in list asks the people of a file, or they agreed before. */
export const ImportOptin = z.enum(['ask', 'agreed'])

/** Whether day or month comes first in dates such as 05/06/2026. Dates with the year first need none. */
export const DateFormat = z.enum(['day_first', 'month_first'])
export type DateFormat = z.infer<typeof DateFormat>

const NOT_FORMATS = 'is not a JSON object of column name to day_first or month_first'

/** How the columns of a file write dates, as JSON in a form. */
export const DateFormats = jsonField(
  z.record(z.string(), DateFormat, NOT_FORMATS),
  'of column name to day_first or month_first',
).describe(
  'For columns that are mapped to custom fields of type date: JSON of column name to day_first or month_first. Where a column is not given, its first values decide if they can: a part above 12 is a day, and dates with dots begin with it',
)

/** Which of several rows of a file with the same address or number counts; of the last one, blank cells leave what is there. */
export const Keep = z.enum(['last', 'first'])
export type Keep = z.infer<typeof Keep>

export const ImportJob = z.object({
  id: Id,
  listId: Id.nullable(),
  /** What its rows become. Of suppressions, `imported` counts new ones and `updated` those that were there. */
  target: z.enum(['contacts', 'suppressions']),
  fileName: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  total: z.number().int(),
  imported: z.number().int(),
  updated: z.number().int(),
  skipped: z.number().int(),
  /** Rows with an address or number that an earlier row of the file has: counted as updated, or as skipped where the first counts. */
  duplicates: z.number().int(),
  keep: Keep,
  /** The country of phone numbers that are written without one; null: none was given. */
  country: z.string().nullable(),
  /** Rows with an email address whose phone number could not be read: it is in the attribute `phone` as it was written, and nothing is sent to it. */
  invalidPhones: z.number().int(),
  /** How the columns for custom fields of type date were read, by column name: as given, or as their first values show. */
  dateFormats: z.record(z.string(), DateFormat),
  /** Dates for custom fields of type date that could not be read: their contacts were imported without them. `errors` lists the rows. */
  invalidDates: z.number().int(),
  /** Share of the file read, 0 to 1. */
  progress: z.number(),
  errors: z.array(z.object({ row: z.number().int(), reason: z.string() })),
  /** Rows that were skipped, and rows that were imported without a date. */
  errorCount: z.number().int(),
  /** For how many numbers the consent to WhatsApp that came with the file was recorded; null: none came. */
  consents: z.number().int().nullable(),
  /** How the people of the file agreed to a double opt-in list before, and who said so; null: the list asks them. */
  agreed: z.object({ evidence: z.string(), recordedBy: z.string() }).nullable(),
  error: z.string().nullable(),
  createdAt: Moment,
  finishedAt: Moment.nullable(),
})
export type ImportJob = z.infer<typeof ImportJob>

/** How confirmation emails leave: what an import into a double opt-in list has to wait for. */
export const AskingPace = z.object({
  perSecond: z.number(),
  /** Of the sender in any 24 hours, campaigns included; null: no limit. */
  perDay: z.number().int().nullable(),
  /** What the coming days allow, today first, while the sender ramps up; empty: it does not. */
  rampUp: z.array(z.number().int()),
  /** Members who wait for their confirmation email already. */
  queued: z.number().int(),
  /** Emails the plan has left this month, campaigns included, and until when. */
  monthLeft: z.number().int(),
  monthUntil: z.string(),
  /** Why none can be sent at this moment; null: nothing is wrong. */
  problem: z.string().nullable(),
})
export type AskingPace = z.infer<typeof AskingPace>

export const imports = {
  list: endpoint('GET /api/imports', 'user', {
    summary: 'List imports, newest first',
    query: PageQuery,
    response: PageOf(ImportJob),
  }),
  get: endpoint('GET /api/imports/:id', 'user', {
    summary: 'Get an import with its progress and the first 1,000 bad rows',
    params: IdParams,
    response: ImportJob,
  }),
  errors: endpoint('GET /api/imports/:id/errors.csv', 'user', {
    types: ['text/csv'],
    summary: 'Export every bad row with its reason as CSV; beyond 100,000 rows are only counted',
    transport: 'file',
    params: IdParams,
  }),
}
