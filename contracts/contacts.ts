import { z } from 'zod'
import { Email } from './accounts.ts'
import { LawfulBasis } from './collector.ts'
import { endpoint } from './endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from './values.ts'

export const Optin = z.enum(['single', 'double'])
export const List = z.object({
  id: Id,
  name: z.string(),
  optin: Optin,
  /** Members who may be written to: confirmed and not unsubscribed from the list. */
  contacts: z.number().int(),
  unconfirmed: z.number().int(),
  unsubscribed: z.number().int(),
  createdAt: Moment,
})
export type List = z.infer<typeof List>
const NewList = z.strictObject({ name: Line(120).min(1, 'is required'), optin: Optin.default('single') })

/** Flat JSON: one level, values are text, numbers, booleans or null. */
export const Attributes = z.record(
  z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\p{L}\p{N}_ .-]+$/u, 'has a name with other than letters, digits, space, _ . -'),
  z.union([z.string().max(5_000), z.number(), z.boolean(), z.null()]),
)
export const Phone = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{6,14}$/, 'is not a number in international form, such as +4930123456')

/** Meta's business-scoped id of a person on WhatsApp: a country, a dot, letters and digits. */
export const Bsuid = z
  .string()
  .trim()
  .regex(/^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/, 'is not a scoped id of WhatsApp, such as US.13491208655302741918')

export const Contact = z.object({
  id: Id,
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** How WhatsApp knows a person who hides his number: an id that only holds for one business portfolio. */
  bsuid: z.string().nullable(),
  name: z.string(),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  lists: z.array(Id),
  suppressed: z.string().nullable(),
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
  /** The collection that found it. */
  jobId: Id.nullable(),
  basis: LawfulBasis.nullable(),
  basisNote: z.string(),
  at: Moment,
})

const ContactFields = {
  email: Email.nullable().optional(),
  phone: Phone.nullable().optional(),
  bsuid: Bsuid.nullable().optional(),
  name: Line(200).optional(),
  attributes: Attributes.optional(),
  lists: z.array(Id).max(100).optional(),
}

export const Suppression = z.object({
  id: Id,
  address: z.string(),
  channel: z.enum(['email', 'whatsapp']),
  reason: z.enum(['unsubscribe', 'complaint', 'hard_bounce', 'soft_bounce', 'manual', 'import']),
  note: z.string(),
  at: Moment,
})
export type Suppression = z.infer<typeof Suppression>

export const lists = {
  list: endpoint('GET /api/lists', 'user', { summary: 'All lists', query: PageQuery, answer: PageOf(List) }),
  create: endpoint('POST /api/lists', 'user', { summary: 'Make a list', status: 201, body: NewList, answer: List }),
  get: endpoint('GET /api/lists/:id', 'user', { summary: 'One list', params: IdParams, answer: List }),
  update: endpoint('PATCH /api/lists/:id', 'user', {
    summary: 'Rename a list or change its opt-in',
    params: IdParams,
    body: z.strictObject({ name: Line(120).min(1).optional(), optin: Optin.optional() }),
    answer: List,
  }),
  remove: endpoint('DELETE /api/lists/:id', 'user', {
    summary: 'Remove a list; its contacts stay',
    params: IdParams,
    answer: Empty,
  }),
  confirmations: endpoint('POST /api/lists/:id/confirmations', 'user', {
    summary:
      'Ask unconfirmed members of a double opt-in list again: at most three times each, with seven days between, at a limited pace',
    status: 202,
    params: IdParams,
    answer: z.object({
      /** Members who get another confirmation email. */
      queued: z.number().int(),
    }),
  }),
}

export const contacts = {
  list: endpoint('GET /api/contacts', 'user', {
    summary: 'Contacts, newest first; `q` finds in address, name and phone',
    query: PageQuery.extend({ listId: Id.optional(), q: z.string().max(200).optional() }),
    answer: PageOf(Contact),
  }),
  create: endpoint('POST /api/contacts', 'user', {
    summary:
      'Add a contact; an address already known is a conflict, and so is an erased one unless `readmit` says that the person asked to be added again',
    status: 201,
    body: z
      .strictObject({ ...ContactFields, readmit: z.boolean().optional() })
      .refine((c) => c.email || c.phone || c.bsuid, {
        message: 'needs an email address or a phone number',
        path: ['email'],
      }),
    answer: Contact,
  }),
  get: endpoint('GET /api/contacts/:id', 'user', {
    summary: 'One contact, with where it was found if it was collected',
    params: IdParams,
    answer: Contact.extend({ origins: z.array(ContactOrigin) }),
  }),
  update: endpoint('PATCH /api/contacts/:id', 'user', {
    summary: 'Change a contact; attributes are merged, null removes one; lists replace',
    params: IdParams,
    body: z.strictObject(ContactFields),
    answer: Contact,
  }),
  upsert: endpoint('PUT /api/contacts/:address', 'user', {
    summary: 'Add or change the contact with this e-mail address or phone number',
    params: z.object({ address: z.string().min(3).max(320) }),
    body: z.strictObject({
      name: ContactFields.name,
      phone: ContactFields.phone,
      email: ContactFields.email,
      attributes: ContactFields.attributes,
      lists: ContactFields.lists,
    }),
    answer: Contact,
  }),
  remove: endpoint('DELETE /api/contacts/:id', 'user', {
    summary: 'Remove a contact; a suppression of its address stays, and so does having left a list',
    params: IdParams,
    answer: Empty,
  }),
  erase: endpoint('POST /api/contacts/:id/erase', 'user', {
    summary:
      'Erase a contact (GDPR, article 17): also from reports, conversations, consents and collections. A hash stays, so that no import brings them back',
    status: 202,
    params: IdParams,
    answer: Empty,
  }),
  fields: endpoint('GET /api/contacts/fields', 'user', {
    summary: 'The attribute names in use, for merge fields',
    answer: z.object({ attributes: z.array(z.string()) }),
  }),
  export: endpoint('GET /api/contacts/export', 'user', {
    summary: 'Contacts as CSV, formula characters neutralised',
    transport: 'file',
    query: z.object({ listId: Id.optional() }),
  }),
  importPreview: endpoint('POST /api/contacts/import/preview', 'user', {
    summary: 'What a file holds: format, columns, first rows, guessed mapping. Nothing is kept',
    multipart: 'file: CSV or XLSX',
    isStreamed: true,
    answer: z.object({
      kind: z.enum(['csv', 'xlsx']),
      encoding: z.string(),
      delimiter: z.string().nullable(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())),
      mapping: z.record(z.string(), z.string()),
    }),
  }),
  import: endpoint('POST /api/contacts/import', 'user', {
    summary: 'Import a file in the background',
    status: 202,
    multipart:
      'file: CSV or XLSX; listId; mapping: JSON, column name -> email, phone, name or an attribute name; consent: JSON as of POST /api/whatsapp/opt-ins without contactIds, where everybody in the file agreed to WhatsApp messages (optional)',
    isStreamed: true,
    answer: z.object({ importId: Id }),
  }),
}

export const ImportJob = z.object({
  id: Id,
  listId: Id.nullable(),
  fileName: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  total: z.number().int(),
  imported: z.number().int(),
  updated: z.number().int(),
  skipped: z.number().int(),
  /** Share of the file read, 0 to 1. */
  progress: z.number(),
  errors: z.array(z.object({ row: z.number().int(), reason: z.string() })),
  errorCount: z.number().int(),
  /** For how many numbers the consent to WhatsApp that came with the file was recorded; null: none came. */
  optIns: z.number().int().nullable(),
  error: z.string().nullable(),
  createdAt: Moment,
  finishedAt: Moment.nullable(),
})
export type ImportJob = z.infer<typeof ImportJob>

export const imports = {
  list: endpoint('GET /api/imports', 'user', {
    summary: 'Imports, newest first',
    query: PageQuery,
    answer: PageOf(ImportJob),
  }),
  get: endpoint('GET /api/imports/:id', 'user', {
    summary: 'How an import goes; the first 1,000 bad rows',
    params: IdParams,
    answer: ImportJob,
  }),
  errors: endpoint('GET /api/imports/:id/errors.csv', 'user', {
    summary: 'Every bad row with its reason, as CSV; beyond 100,000 they are only counted',
    transport: 'file',
    params: IdParams,
  }),
}

export const suppressions = {
  list: endpoint('GET /api/suppressions', 'user', {
    summary: 'Addresses no campaign writes to',
    query: PageQuery.extend({ q: z.string().max(200).optional() }),
    answer: PageOf(Suppression),
  }),
  create: endpoint('POST /api/suppressions', 'user', {
    summary: 'Never write to this address again; saying it twice changes nothing',
    status: 201,
    body: z.strictObject({
      address: z.string().trim().min(3).max(320),
      channel: z.enum(['email', 'whatsapp']).default('email'),
      reason: z.enum(['manual', 'unsubscribe', 'complaint', 'hard_bounce']).default('manual'),
      note: Line(300).optional(),
    }),
    answer: Suppression,
  }),
  get: endpoint('GET /api/suppressions/:id', 'user', {
    summary: 'One suppression',
    params: IdParams,
    answer: Suppression,
  }),
  remove: endpoint('DELETE /api/suppressions/:id', 'user', {
    summary: 'Lift a suppression set by hand or by a hard bounce; a complaint or the person’s own unsubscribe stays',
    params: IdParams,
    answer: Empty,
  }),
}
