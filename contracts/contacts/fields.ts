import { z } from 'zod'
import { CampaignState, Channel } from '#contracts/campaigns/campaign.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'

/** Fields of a workspace at most. */
export const MAX_FIELDS = 200
/** What a contact has without being told: no field may be called so. */
export const BUILT_IN_FIELDS = ['email', 'phone', 'bsuid', 'name', 'first_name', 'last_name', 'tags', 'lists'] as const

/** Dates are days, such as 2026-01-31. */
export const FieldType = z.enum(['text', 'number', 'date', 'boolean', 'choice'])
export type FieldType = z.infer<typeof FieldType>

/** The key under which contacts have it, and merge fields name it. */
export const FieldName = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(64)
  .regex(/^[\p{L}\p{N}_ .-]+$/u, 'has other characters than letters, digits, space, _ . -')
  .refine((name) => name !== '__proto__', 'cannot be used as a name')
  .refine((name) => !(BUILT_IN_FIELDS as readonly string[]).includes(name.toLowerCase()), 'is built in')

const Choices = z
  .array(Line(100).min(1, 'is required'))
  .max(100)
  .refine(
    (choices) => new Set(choices.map((choice) => choice.toLowerCase())).size === choices.length,
    'repeats a choice',
  )
  .meta({ uniqueItems: true })

export const ContactField = z.object({
  id: Id,
  name: z.string(),
  /** What people see instead of the name. */
  label: z.string(),
  type: FieldType,
  /** The values a choice may have; empty for other types. */
  choices: z.array(z.string()),
  /** What merge fields say for a contact without a value; empty for nothing. */
  default: z.string(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type ContactField = z.infer<typeof ContactField>

/** Something that knows a field by its name, so that the name cannot be changed. */
export const FieldUse = z.object({
  kind: z.enum(['template', 'block', 'segment', 'form', 'automation', 'journey', 'campaign', 'import']),
  id: Id,
  name: z.string(),
  /** Of a campaign; null for all others. */
  campaign: z.object({ channel: Channel, state: CampaignState }).nullable(),
})
export type FieldUse = z.infer<typeof FieldUse>

/** Uses that are told. */
export const MAX_FIELD_USES = 100

const Shown = { label: Line(100), choices: Choices.optional(), default: Line(200).optional() }

export const fields = {
  list: endpoint('GET /api/fields', 'user', {
    summary: 'List the custom fields of contacts',
    query: PageQuery,
    response: PageOf(ContactField),
  }),
  create: endpoint('POST /api/fields', 'user', {
    refusals: [409],
    summary: 'Create a custom field; a name that another field has is a conflict',
    rules: 'A choice has at least one choice, and no other type has any.',
    status: 201,
    body: z.strictObject({ ...Shown, name: FieldName, label: Shown.label.optional(), type: FieldType.default('text') }),
    response: ContactField,
  }),
  get: endpoint('GET /api/fields/:id', 'user', { summary: 'Get a field', params: IdParams, response: ContactField }),
  uses: endpoint('GET /api/fields/:id/uses', 'user', {
    refusals: [429],
    summary:
      'List what uses a field by its name, up to 100: templates, saved blocks, segments, forms, automations, campaigns and running imports',
    params: IdParams,
    response: z.object({ items: z.array(FieldUse) }),
  }),
  update: endpoint('PATCH /api/fields/:id', 'user', {
    refusals: [409],
    summary:
      'Change how a field is shown and what it takes; values that contacts have stay as they are. Its name changes only while no template, campaign, segment, form, automation, journey or import uses it: 409 names what does',
    rules: 'A choice has at least one choice, and no other type has any.',
    params: IdParams,
    body: z.strictObject({
      ...Shown,
      name: FieldName.optional(),
      label: Shown.label.min(1, 'is required').optional(),
      type: FieldType.optional(),
    }),
    response: ContactField,
  }),
  remove: endpoint('DELETE /api/fields/:id', 'user', {
    summary: 'Delete a field with the values contacts have in it; segments over it match nobody until they are changed',
    params: IdParams,
    response: Empty,
  }),
}
