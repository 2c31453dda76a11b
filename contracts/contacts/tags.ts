import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'

/** Tags of a workspace at most. */
export const MAX_TAGS = 1_000

export const Tag = z.object({
  id: Id,
  name: z.string(),
  /** Contacts that have it. */
  contacts: z.number().int(),
  createdAt: Moment,
})
export type Tag = z.infer<typeof Tag>

/** A comma parts tags in a cell of an import. */
export const TagName = Line(60)
  .min(1, 'is required')
  .regex(/^[^,;]*$/, 'has a comma or semicolon')
/** A tag by its id, or by its name in any case. Digits alone are an id. */
export const TagRef = z.string().trim().min(1, 'is required').max(60)
const NewTag = z.strictObject({ name: TagName })

export const tags = {
  list: endpoint('GET /api/tags', 'user', { summary: 'List all tags', query: PageQuery, response: PageOf(Tag) }),
  create: endpoint('POST /api/tags', 'user', {
    refusals: [409],
    summary: 'Create a tag; a name that another tag has, in any case, is a conflict',
    status: 201,
    body: NewTag,
    response: Tag,
  }),
  get: endpoint('GET /api/tags/:id', 'user', { summary: 'Get a tag', params: IdParams, response: Tag }),
  update: endpoint('PATCH /api/tags/:id', 'user', {
    refusals: [409],
    summary: 'Rename a tag',
    params: IdParams,
    body: z.strictObject({ name: TagName.optional() }),
    response: Tag,
  }),
  remove: endpoint('DELETE /api/tags/:id', 'user', {
    summary: 'Delete a tag; its contacts stay',
    params: IdParams,
    response: Empty,
  }),
}
