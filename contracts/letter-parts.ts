import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Empty, Id, IdParams, Line, Moment } from './values.ts'

/** Saved blocks of one workspace, at most. */
export const BLOCK_LIMIT = 100
/** Characters of one saved block, at most. */
const BLOCK_SIZE = 100_000
/** Colours of a brand, at most. */
export const COLOUR_LIMIT = 8

export const SavedBlock = z.object({
  id: Id,
  name: z.string(),
  mjml: z.string(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type SavedBlock = z.infer<typeof SavedBlock>

const Name = Line(80).min(1, 'is required')

/** Pieces of letters, kept to be used in others. */
export const blocks = {
  list: endpoint('GET /api/blocks', 'user', {
    summary: 'The saved blocks of the workspace, newest first',
    answer: z.object({ items: z.array(SavedBlock), nextCursor: z.null() }),
  }),
  create: endpoint('POST /api/blocks', 'user', {
    summary: 'Keep a piece of a letter: one MJML element of a body or a column, with its condition',
    status: 201,
    body: z.strictObject({
      name: Name,
      mjml: z.string().min(1, 'is required').max(BLOCK_SIZE, 'is larger than 100 kB'),
    }),
    answer: SavedBlock,
  }),
  change: endpoint('PATCH /api/blocks/:id', 'user', {
    summary: 'Give a saved block another name',
    params: IdParams,
    body: z.strictObject({ name: Name }),
    answer: SavedBlock,
  }),
  remove: endpoint('DELETE /api/blocks/:id', 'user', {
    summary: 'Remove a saved block; letters it was put into keep it',
    params: IdParams,
    answer: Empty,
  }),
}

const Colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #3b49df')
  .toLowerCase()
/** A list of font families that is harmless in an attribute and in a style. */
const Font = Line(120).regex(/^[\w\s,'-]*$/, 'must be names of fonts with commas between them')

export const Brand = z.object({
  /** The main one first. */
  colours: z.array(Colour).max(COLOUR_LIMIT, `holds more than ${COLOUR_LIMIT} colours`),
  textFont: Font,
  headingFont: Font,
})
export type Brand = z.infer<typeof Brand>

/** How the workspace's letters look. */
export const brand = {
  get: endpoint('GET /api/brand', 'user', {
    summary: 'The colours and fonts of the workspace; empty before they are set',
    answer: Brand,
  }),
  set: endpoint('PUT /api/brand', 'user', {
    summary: 'Set the colours and fonts; letters that are written keep theirs',
    body: z.strictObject(Brand.shape),
    answer: Brand,
  }),
}
