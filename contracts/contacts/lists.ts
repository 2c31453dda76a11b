import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'

export const Optin = z.enum(['single', 'double'])
export const List = z.object({
  id: Id,
  name: z.string(),
  optin: Optin,
  /** Members who may be written to: confirmed and not unsubscribed from the list. */
  contacts: z.number().int(),
  unconfirmed: z.number().int(),
  unsubscribed: z.number().int(),
  /** The template of its confirmation emails; null: the default email. */
  confirmationTemplateId: Id.nullable(),
  /** What people read of it on their preference page. */
  description: z.string(),
  /** The preference page offers it to contacts who are not on it. Who is on a list always sees it there. */
  isPublic: z.boolean(),
  /** Why its unconfirmed members get no confirmation email at this moment; null: nothing is wrong. They wait and lose nothing. */
  confirmationProblem: z.string().nullable(),
  createdAt: Moment,
})
export type List = z.infer<typeof List>
const confirmationTemplateId = Id.nullable()
  .optional()
  .describe('A template with the field {{ confirm_url }}; null is the default email')
const description = z.string().trim().max(500, 'is longer than 500 characters')
const NewList = z.strictObject({
  name: Line(120).min(1, 'is required'),
  optin: Optin.default('single'),
  confirmationTemplateId,
  description: description.default(''),
  isPublic: z.boolean().default(false),
})
const TEMPLATE_RULE = 'The template exists, can be rendered and has a link to {{ confirm_url }}.'

export const lists = {
  list: endpoint('GET /api/lists', 'user', { summary: 'List all lists', query: PageQuery, response: PageOf(List) }),
  create: endpoint('POST /api/lists', 'user', {
    summary: 'Create a list',
    rules: TEMPLATE_RULE,
    status: 201,
    body: NewList,
    response: List,
  }),
  get: endpoint('GET /api/lists/:id', 'user', { summary: 'Get a list', params: IdParams, response: List }),
  update: endpoint('PATCH /api/lists/:id', 'user', {
    summary:
      'Rename a list, change between single and double opt-in, choose its confirmation email, or offer it on the preference page',
    rules: TEMPLATE_RULE,
    params: IdParams,
    body: z.strictObject({
      name: Line(120).min(1).optional(),
      optin: Optin.optional(),
      confirmationTemplateId,
      description: description.optional(),
      isPublic: z.boolean().optional(),
    }),
    response: List,
  }),
  remove: endpoint('DELETE /api/lists/:id', 'user', {
    summary: 'Delete a list; its contacts stay',
    params: IdParams,
    response: Empty,
  }),
  confirmations: endpoint('POST /api/lists/:id/confirmations', 'user', {
    refusals: [409],
    summary:
      'Resend confirmation emails to unconfirmed members of a double opt-in list: at most three times each, seven days apart, at a limited rate',
    status: 202,
    params: IdParams,
    response: z.object({
      /** Members who get another confirmation email. */
      queued: z.number().int(),
    }),
  }),
}
