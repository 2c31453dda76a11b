import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { LawfulBasis } from '#contracts/collector/collector.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { jsonField, rowsFile } from '#contracts/form-file.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'
import { ConsentProof } from '#contracts/whatsapp/consents.ts'
import { ContactCursor, ContactSort, ContactStatus, contactMatch } from './filter.ts'
import { AskingPace, DateFormat, DateFormats, ImportOptin, Keep, Mapping } from './imports.ts'

/** Flat JSON: one level, values are text, numbers, booleans or null. */
export const Attributes = z.record(
  z
    .string()
    .min(1)
    .max(64)
    .regex(/^(?!__proto__$)[\p{L}\p{N}_ .-]+$/u, 'has a name with other than letters, digits, space, _ . -'),
  z.union([z.string().max(5_000), z.number(), z.boolean(), z.null()]),
)
export const Phone = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{6,14}$/, 'is not a number in international form, such as +4930123456')
  .describe('E.164. The country code exists, and the number has as many digits as numbers there')

/** Meta's business-scoped id of a person on WhatsApp: a country, a dot, letters and digits. */
export const Bsuid = z
  .string()
  .trim()
  .regex(/^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/, 'is not a scoped id of WhatsApp, such as US.13491208655302741918')

export const Contact = z.object({
  id: Id,
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** How WhatsApp identifies a person who hides their number: an id that is valid for one business portfolio. */
  bsuid: z.string().nullable(),
  name: z.string(),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  lists: z.array(Id),
  tags: z.array(Id),
  suppressed: z.string().nullable(),
  status: ContactStatus,
  source: z.string(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type Contact = z.infer<typeof Contact>

/** Where a collected contact comes from, and why it may be written to: null while nobody said it. */
const ContactOrigin = z.object({
  sourceUrl: z.string(),
  foundAt: Moment,
  /** The words around it on its page. */
  evidence: z.string(),
  /** The crawl job that found it. */
  jobId: Id.nullable(),
  basis: LawfulBasis.nullable(),
  basisNote: z.string(),
  at: Moment,
})

/** What somebody was asked by email, what they agreed to, and when and from where they did. */
const Confirmation = z.object({
  id: Id,
  /** The address that was asked: the contact may have another one by now, which has confirmed nothing. */
  email: z.string(),
  lists: z.array(z.object({ id: Id, name: z.string() })),
  /** `member`: the workspace added them to the list. `preferences`: they chose it on their preference page. */
  source: z.enum(['member', 'blog', 'form', 'preferences']),
  form: z.object({ id: Id, name: z.string() }).nullable(),
  state: z.enum(['queued', 'sent', 'confirmed', 'expired', 'failed']),
  wording: z.string(),
  wordingVersion: z.number().int(),
  requestedAt: Moment,
  /** null where the workspace added them. */
  requestedIp: z.string().nullable(),
  requestedUserAgent: z.string().nullable(),
  /** Emails sent, the reminder included. */
  emails: z.number().int(),
  sentAt: Moment.nullable(),
  /** Why an email could not be sent, or waits. */
  problem: z.string(),
  expiresAt: Moment.nullable(),
  confirmedAt: Moment.nullable(),
  confirmedIp: z.string().nullable(),
  confirmedUserAgent: z.string().nullable(),
})
export type Confirmation = z.infer<typeof Confirmation>

/** An import that said how somebody had agreed to a double opt-in list before. */
const Agreement = z.object({
  list: z.object({ id: Id, name: z.string() }),
  importId: Id,
  fileName: z.string(),
  evidence: z.string(),
  recordedBy: z.string(),
  at: Moment,
})
export type Agreement = z.infer<typeof Agreement>

/** Of an object: the field is there and not null. */
const isText = (field: string) => ({ properties: { [field]: { type: 'string' as const } }, required: [field] })

/** Of one that was erased: the person asked to be added again. */
const readmit = z.boolean().optional()

const ContactFields = {
  email: Email.nullable().optional(),
  phone: Phone.nullable().optional(),
  bsuid: Bsuid.nullable().optional(),
  name: Line(200).optional(),
  attributes: Attributes.optional(),
  lists: z.array(Id).max(100).optional(),
  tags: z.array(Id).max(100).optional(),
}

export const contacts = {
  list: endpoint('GET /api/contacts', 'user', {
    // A segment of another workspace.
    refusals: [404],
    summary:
      'List contacts, newest first or in the order of `sort`; `q` searches address, name and phone, `listId`, `tag`, `status` and `source` filter',
    query: PageQuery.extend({
      ...contactMatch,
      sort: ContactSort.default('-createdAt'),
      cursor: ContactCursor.optional(),
    }),
    response: PageOf(Contact),
  }),
  create: endpoint('POST /api/contacts', 'user', {
    refusals: [402, 409],
    summary:
      'Create a contact; an existing address is a conflict, and so is an erased one unless `readmit` says that the person asked to be added again',
    status: 201,
    body: z
      .strictObject({ ...ContactFields, readmit })
      .refine((c) => c.email || c.phone || c.bsuid, {
        message: 'needs an email address or a phone number',
        path: ['email'],
      })
      .meta({ anyOf: ['email', 'phone', 'bsuid'].map(isText) }),
    response: Contact,
  }),
  get: endpoint('GET /api/contacts/:id', 'user', {
    summary:
      'Get a contact, with its origin if it was collected, how it agreed to double opt-in lists, and how often it wants emails',
    params: IdParams,
    response: Contact.extend({
      origins: z.array(ContactOrigin),
      confirmations: z.array(Confirmation),
      agreements: z.array(Agreement),
      /** How often they want emails, as chosen on their preference page. */
      frequency: z.enum(['all', 'weekly']),
      /** null without a pause, and after it. */
      pausedUntil: Moment.nullable(),
    }),
  }),
  update: endpoint('PATCH /api/contacts/:id', 'user', {
    refusals: [409],
    summary: 'Update a contact; attributes are merged, null removes one; lists and tags are replaced',
    params: IdParams,
    body: z.strictObject({ ...ContactFields, readmit }),
    response: Contact,
  }),
  upsert: endpoint('PUT /api/contacts/:address', 'user', {
    refusals: [402, 409],
    summary: 'Create or update the contact with this email address or phone number',
    params: z.object({
      address: z.string().min(3).max(320).describe('An email address, or a phone number in E.164'),
    }),
    body: z.strictObject({
      name: ContactFields.name,
      phone: ContactFields.phone,
      email: ContactFields.email,
      attributes: ContactFields.attributes,
      lists: ContactFields.lists,
      tags: ContactFields.tags,
      readmit,
    }),
    response: Contact,
  }),
  remove: endpoint('DELETE /api/contacts/:id', 'user', {
    summary: 'Remove a contact; a suppression of its address and its unsubscribed lists are retained',
    params: IdParams,
    response: Empty,
  }),
  erase: endpoint('POST /api/contacts/:id/erase', 'user', {
    summary:
      'Erase a contact (GDPR, article 17): also from reports, conversations, consents and scrapes. A hash is retained, so that no import adds them again',
    status: 202,
    params: IdParams,
    response: Empty,
  }),
  fields: endpoint('GET /api/contacts/fields', 'user', {
    summary: 'List the attribute names in use, for merge fields',
    response: z.object({ attributes: z.array(z.string()) }),
  }),
  export: endpoint('GET /api/contacts/export', 'user', {
    refusals: [404],
    types: ['text/csv'],
    summary: 'Export contacts as CSV, with formula characters neutralized',
    transport: 'file',
    query: z.object(contactMatch),
  }),
  importPreview: endpoint('POST /api/contacts/import/preview', 'user', {
    summary: 'Preview an import file: format, columns, first rows, guessed mapping. Nothing is stored',
    rules: 'The file is a CSV or an XLSX workbook with a header and is not empty.',
    form: z.strictObject({ file: rowsFile('CSV or XLSX') }),
    response: z.object({
      kind: z.enum(['csv', 'xlsx']),
      encoding: z.string(),
      delimiter: z.string().nullable(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())),
      mapping: z.record(z.string(), z.string()),
      /** Columns with dates such as 31/12/2026, by name: whether day or month comes first; null: the values do not say. */
      dateFormats: z.record(z.string(), DateFormat.nullable()),
      /** Among the first 5,000 rows, those with an address or number that an earlier one has. */
      duplicates: z.number().int(),
      /** Rows of data; null: more than can be counted within a few seconds. */
      total: z.number().int().nullable(),
      /** For an import into a double opt-in list. */
      confirmations: AskingPace,
    }),
  }),
  import: endpoint('POST /api/contacts/import', 'user', {
    gives: { under: ['/api/imports'], pointer: '/importId' },
    summary: 'Import a file in the background',
    rules:
      'The mapping, given or guessed, maps a column to email or phone. `givenAt` of the consent is not in the future. `optinEvidence` is given where `optin` is agreed.',
    status: 202,
    form: z.strictObject({
      file: rowsFile('CSV or XLSX'),
      listId: z
        .string()
        .regex(/^([1-9]\d{0,17})?$/, 'does not exist in this workspace')
        .describe('The list to which all contacts of the file are added')
        .optional(),
      mapping: Mapping.optional(),
      keep: Keep.optional().describe(
        'Which of several rows with the same address or number counts; last where it is omitted',
      ),
      country: z
        .string()
        .regex(/^([A-Za-z]{2})?$/, 'must be a country as two letters, such as DE')
        .describe('The country of phone numbers that are written without one, ISO 3166 with two letters')
        .optional(),
      dateFormats: DateFormats.optional(),
      optin: ImportOptin.optional().describe(
        'For a double opt-in list: ask everybody by email (the default), or agreed, with optinEvidence, for people who agreed before',
      ),
      optinEvidence: z
        .string()
        .trim()
        .max(1_000, 'is longer than 1,000 characters')
        .optional()
        .describe('How and when the people agreed, and where that is recorded. Required where optin is agreed'),
      consent: jsonField(ConsentProof, 'of how, purpose, covers, wording, evidence and givenAt')
        .describe('If all contacts of the file consented to WhatsApp messages: JSON of how they did')
        .optional(),
    }),
    response: z.object({ importId: Id }),
  }),
}
