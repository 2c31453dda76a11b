import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'
import { Contact } from './contacts.ts'
import { ContactFilter } from './filter.ts'

/** Segments of a workspace at most. */
export const MAX_SEGMENTS = 500

export const Segment = z.object({
  id: Id,
  name: z.string(),
  filter: ContactFilter,
  /** Conditions over a list, tag or campaign that was deleted: as long as there is one, nobody is in the segment. */
  problems: z.array(z.object({ field: z.string(), message: z.string() })),
  createdAt: Moment,
  updatedAt: Moment,
})
export type Segment = z.infer<typeof Segment>

const name = Line(120).min(1, 'is required')
const SLOW = 'A filter that takes longer than five seconds to count is refused.'

export const segments = {
  list: endpoint('GET /api/segments', 'user', {
    summary: 'List all segments, in the order they were made',
    query: PageQuery,
    response: PageOf(Segment),
  }),
  create: endpoint('POST /api/segments', 'user', {
    refusals: [409],
    summary: 'Create a segment: a filter with a name. Who is in it is found whenever it is used',
    rules: 'The lists, tags and campaigns of the filter exist.',
    status: 201,
    body: z.strictObject({ name, filter: ContactFilter }),
    response: Segment,
  }),
  get: endpoint('GET /api/segments/:id', 'user', {
    summary: 'Get a segment',
    params: IdParams,
    response: Segment,
  }),
  update: endpoint('PATCH /api/segments/:id', 'user', {
    summary: 'Rename a segment, or replace its filter',
    rules: 'The lists, tags and campaigns of the filter exist.',
    params: IdParams,
    body: z.strictObject({ name: name.optional(), filter: ContactFilter.optional() }),
    response: Segment,
  }),
  remove: endpoint('DELETE /api/segments/:id', 'user', {
    summary: 'Delete a segment; its contacts stay',
    params: IdParams,
    response: Empty,
  }),
  preview: endpoint('POST /api/segments/preview', 'user', {
    summary: 'Count the contacts of a filter, with the ten newest of them',
    rules: `The lists, tags and campaigns of the filter exist. ${SLOW}`,
    body: z.strictObject({ filter: ContactFilter }),
    response: z.object({ count: z.number().int(), sample: z.array(Contact) }),
  }),
}
