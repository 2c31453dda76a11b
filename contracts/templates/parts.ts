import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, ListOf, Moment } from '#contracts/values.ts'

/** Saved blocks of one workspace, at most. */
export const BLOCK_LIMIT = 100
/** Characters of one saved block, at most. */
const BLOCK_SIZE = 100_000
/** Colors of a brand, at most. */
export const COLOR_LIMIT = 8

export const SavedBlock = z.object({
  id: Id,
  name: z.string(),
  mjml: z.string(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type SavedBlock = z.infer<typeof SavedBlock>

const Name = Line(80).min(1, 'is required')

/** A block: with a condition or not, an element that may stand in a body or a column, and nothing that cannot be stored. */
const BLOCK =
  '^([ \\t\\r\\n]*<mj-raw>[^<\\u0000]*</mj-raw>)?[ \\t\\r\\n]*<mj-(?!(body|head|include)[^a-z-])[a-z-]+[^\\u0000]*$'

/** Parts of emails that are stored for use in others. */
export const blocks = {
  list: endpoint('GET /api/blocks', 'user', {
    summary: 'List the saved blocks of the workspace, newest first',
    response: ListOf(SavedBlock),
  }),
  create: endpoint('POST /api/blocks', 'user', {
    refusals: [409],
    rules: 'Its elements are closed, and it can be shown.',
    summary: 'Save a block: one MJML element of a body or a column, with its condition',
    status: 201,
    body: z.strictObject({
      name: Name,
      mjml: z.string().min(1, 'is required').max(BLOCK_SIZE, 'is larger than 100 kB').meta({ pattern: BLOCK }),
    }),
    response: SavedBlock,
  }),
  change: endpoint('PATCH /api/blocks/:id', 'user', {
    summary: 'Rename a saved block',
    params: IdParams,
    body: z.strictObject({ name: Name }),
    response: SavedBlock,
  }),
  remove: endpoint('DELETE /api/blocks/:id', 'user', {
    summary: 'Delete a saved block; emails that use it keep their copy',
    params: IdParams,
    response: Empty,
  }),
}

const Color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #3b49df')
  .toLowerCase()
/** A list of font families that is harmless in an attribute and in a style. */
const Font = Line(120).regex(/^[\w\s,'-]*$/, 'must be names of fonts with commas between them')

export const Brand = z.object({
  /** The main one first. */
  colors: z.array(Color).max(COLOR_LIMIT, `has more than ${COLOR_LIMIT} colors`),
  textFont: Font,
  headingFont: Font,
})
export type Brand = z.infer<typeof Brand>

/** How the workspace's emails look. */
export const brand = {
  get: endpoint('GET /api/brand', 'user', {
    summary: 'Get the colors and fonts of the workspace; empty before they are set',
    response: Brand,
  }),
  set: endpoint('PUT /api/brand', 'user', {
    summary: 'Set the colors and fonts; existing emails keep theirs',
    body: z.strictObject(Brand.shape),
    response: Brand,
  }),
}
