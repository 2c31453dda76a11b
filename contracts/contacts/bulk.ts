import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'
import { ConsentProof } from '#contracts/whatsapp/consents.ts'
import { Attributes } from './contacts.ts'
import { ContactFilter } from './filter.ts'
import { TagRef } from './tags.ts'

/** Contacts chosen one by one, or all that a filter finds. */
const choice = {
  ids: z.array(Id).min(1, 'needs at least one contact').max(10_000, 'takes up to 10,000 contacts').optional(),
  filter: ContactFilter.optional(),
}
const isOneChoice = ({ ids, filter }: { ids?: unknown; filter?: unknown }) =>
  (ids === undefined) !== (filter === undefined)
const oneChoice = { path: ['ids'], message: 'or a filter is required, and not both' }
const eitherOne = {
  anyOf: [
    { required: ['ids'], not: { required: ['filter'] } },
    { required: ['filter'], not: { required: ['ids'] } },
  ],
}

export const BulkAction = z.enum([
  'addToList',
  'removeFromList',
  'tag',
  'untag',
  'setField',
  'unsubscribe',
  'suppress',
  'recordConsent',
  'delete',
])
export type BulkAction = z.infer<typeof BulkAction>

/** For so long a change of many contacts can be undone. */
export const BULK_UNDO_HOURS = 24

/** What is changed with a contact: its name, or a custom field; null empties it. */
const FieldChange = z.strictObject({ name: Line(200).optional(), attributes: Attributes.optional() })

/** Why a change cannot be undone: the codes with which POST /api/jobs/{id}/undo refuses it. */
export const UndoObstacle = z.enum([
  'not_undoable',
  'not_ended',
  'already_undone',
  'nothing_changed',
  'target_deleted',
  'too_late',
])
export type UndoObstacle = z.infer<typeof UndoObstacle>

const JobState = z.enum(['queued', 'running', 'done', 'failed'])

/** A change of many contacts and how far it is. */
export const ContactJob = z.object({
  id: Id,
  /** `enrol` lets contacts enter a journey, `undo` undoes another change. */
  action: z.enum([...BulkAction.options, 'enrol', 'undo']),
  /** The list, the tag, the journey or the fields that it is about, by name; empty for other actions, and where it was deleted since. */
  names: z.array(z.string()),
  /** The email address of the user who made it. */
  requestedBy: z.string(),
  state: JobState,
  /** Contacts that were chosen; null until a filter has been counted. */
  total: z.number().int().nullable(),
  /** Contacts looked at so far. */
  processed: z.number().int(),
  /** Contacts the action changed. */
  changed: z.number().int(),
  /** Whether POST /api/jobs/{id}/undo takes it back: for a day, and once. */
  canUndo: z.boolean(),
  /** Why it cannot be undone; null: it can. */
  obstacle: UndoObstacle.nullable(),
  /** The undo of it, and how many contacts that put back; null: it was not undone. */
  undone: z.object({ state: JobState, changed: z.number().int() }).nullable(),
  createdAt: Moment,
  finishedAt: Moment.nullable(),
})
export type ContactJob = z.infer<typeof ContactJob>

/** Actions without a value: it is omitted, or null. */
const NoValue = z.null().optional()

/** What each action needs as its value: a list, a tag, fields, a proof; the others need none. */
export const BULK_VALUES = {
  addToList: Id,
  removeFromList: Id,
  tag: TagRef,
  untag: TagRef,
  setField: FieldChange,
  recordConsent: ConsentProof,
  unsubscribe: NoValue,
  suppress: NoValue,
  delete: NoValue,
} satisfies Record<BulkAction, z.ZodType>

const valueFor = (actions: BulkAction[], value: object) => ({
  properties: { action: { enum: actions }, value },
  required: ['value'],
})
/** Which value goes with which action, for the schema of the API. */
const byAction = {
  oneOf: [
    valueFor(['addToList', 'removeFromList'], z.toJSONSchema(Id)),
    valueFor(['tag', 'untag'], z.toJSONSchema(TagRef)),
    valueFor(['setField'], {
      ...z.toJSONSchema(FieldChange),
      anyOf: [{ required: ['name'] }, { required: ['attributes'], properties: { attributes: { minProperties: 1 } } }],
    }),
    valueFor(['recordConsent'], z.toJSONSchema(ConsentProof, { io: 'input' })),
    { properties: { action: { enum: ['unsubscribe', 'suppress', 'delete'] }, value: { type: 'null' } } },
  ],
}

const Change = z
  .strictObject({ ...choice, action: BulkAction, value: z.unknown().optional() })
  .refine(isOneChoice, oneChoice)
  .superRefine(({ action, value }, context) => {
    const read = BULK_VALUES[action].safeParse(value)
    for (const issue of read.error?.issues ?? [])
      context.addIssue({ code: 'custom', message: issue.message, path: ['value', ...issue.path] })
  })
  .meta({ examples: [{ ids: ['1001'], action: 'addToList', value: '1001' }], allOf: [eitherOne, byAction] })

export const contactsBulk = {
  start: endpoint('POST /api/contacts/bulk', 'user', {
    refusals: [429],
    gives: { under: ['/api/jobs'], pointer: '/jobId' },
    summary:
      'Change many contacts in the background: up to 10,000 by id, or all that a filter finds. Contacts that are gone are skipped',
    rules:
      'The list of addToList and removeFromList and the tag of tag and untag exist; a tag is its id or its name. setField changes the name or at least one custom field. `givenAt` of a consent is not in the future.',
    status: 202,
    body: Change,
    response: z.object({ jobId: Id }),
  }),
  export: endpoint('POST /api/contacts/export', 'user', {
    types: ['text/csv'],
    transport: 'file',
    summary: 'Export chosen contacts as CSV: up to 10,000 by id, or all that a filter finds',
    body: z.strictObject(choice).refine(isOneChoice, oneChoice).meta(eitherOne),
  }),
}

export const jobs = {
  list: endpoint('GET /api/jobs', 'user', {
    summary:
      'List the changes of many contacts that run or ended in the last 24 hours, newest first. Undos are part of what they undo',
    query: PageQuery,
    response: PageOf(ContactJob),
  }),
  get: endpoint('GET /api/jobs/:id', 'user', {
    summary: 'Get a background change of contacts and its progress',
    params: IdParams,
    response: ContactJob,
  }),
  undo: endpoint('POST /api/jobs/:id/undo', 'user', {
    refusals: [409, 429],
    gives: { under: ['/api/jobs'], pointer: '/jobId' },
    summary:
      'Undo a change of contacts within a day, in the background. What was changed again since, and what people did themselves, stays as it is',
    rules:
      'The change has ended, is no undo itself, and was not undone before. Its list or tag is still there. A consent is withdrawn where nothing was sent since.',
    params: IdParams,
    status: 202,
    response: z.object({ jobId: Id }),
  }),
}
