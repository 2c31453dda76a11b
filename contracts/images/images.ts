import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { imageFile } from '#contracts/form-file.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'

/** Images of one workspace's library, at most. */
export const LIBRARY_LIMIT = 500

export const LibraryImage = z.object({
  id: Id,
  /** Absolute, as an email needs it. */
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  name: z.string(),
  alt: z.string(),
  createdAt: Moment,
})
export type LibraryImage = z.infer<typeof LibraryImage>

export const images = {
  list: endpoint('GET /api/pictures', 'user', {
    summary: 'List the images of the workspace, newest first',
    query: PageQuery,
    response: PageOf(LibraryImage),
  }),
  add: endpoint('POST /api/pictures', 'user', {
    refusals: [409],
    summary: 'Upload an image for emails; it is re-encoded as WebP without its metadata',
    status: 201,
    form: z.strictObject({
      image: imageFile('The image'),
      alt: z.string().describe('A description of the image').optional(),
    }),
    response: LibraryImage,
  }),
  change: endpoint('PATCH /api/pictures/:id', 'user', {
    summary: 'Update the name or alt text of an image',
    params: IdParams,
    body: z.strictObject({ name: Line(120).min(1, 'is required').optional(), alt: Line(300).optional() }),
    response: LibraryImage,
  }),
  remove: endpoint('DELETE /api/pictures/:id', 'user', {
    summary: 'Remove an image from the library; emails that show it keep showing it',
    params: IdParams,
    response: Empty,
  }),
}
