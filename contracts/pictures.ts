import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from './values.ts'

/** Pictures of one workspace's library, at most. */
export const LIBRARY_LIMIT = 500

export const LibraryPicture = z.object({
  id: Id,
  /** Absolute, as a letter needs it. */
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  name: z.string(),
  alt: z.string(),
  createdAt: Moment,
})
export type LibraryPicture = z.infer<typeof LibraryPicture>

export const pictures = {
  list: endpoint('GET /api/pictures', 'user', {
    summary: 'The pictures of the workspace, newest first',
    query: PageQuery,
    answer: PageOf(LibraryPicture),
  }),
  add: endpoint('POST /api/pictures', 'user', {
    summary: 'Keep a picture for letters; it is re-encoded as WebP and loses its metadata',
    status: 201,
    multipart: 'image: a picture of at most 5 MB (JPEG, PNG, WebP or GIF); alt: what it shows (optional)',
    answer: LibraryPicture,
  }),
  change: endpoint('PATCH /api/pictures/:id', 'user', {
    summary: 'Change what a picture is called or shows',
    params: IdParams,
    body: z.strictObject({ name: Line(120).min(1, 'is required').optional(), alt: Line(300).optional() }),
    answer: LibraryPicture,
  }),
  remove: endpoint('DELETE /api/pictures/:id', 'user', {
    summary: 'Take a picture out of the library; letters that show it go on showing it',
    params: IdParams,
    answer: Empty,
  }),
}
