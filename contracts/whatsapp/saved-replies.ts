import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, ListOf, Moment } from '#contracts/values.ts'

/** How many a workspace has at most. */
export const MAX_SAVED_REPLIES = 200

const Name = Line(60).min(1, 'is required')
const Text = z.string().trim().min(1, 'is required').max(4_096, 'has at most 4,096 characters')

/** A text that is written often in the inbox. */
export const SavedReply = z.object({
  id: Id,
  /** What it is found by, different for each of a workspace. */
  name: z.string(),
  /** May hold variables such as {{first_name}} or {{company}}, filled in from the contact when it is inserted. */
  text: z.string(),
  updatedAt: Moment,
})
export type SavedReply = z.infer<typeof SavedReply>

export const whatsappSavedReplies = {
  list: endpoint('GET /api/whatsapp/saved-replies', 'user', {
    summary: 'List the saved replies of this workspace by name',
    response: ListOf(SavedReply),
  }),
  create: endpoint('POST /api/whatsapp/saved-replies', 'user', {
    refusals: [409],
    summary: `Save a reply, ${MAX_SAVED_REPLIES} at most; names differ`,
    status: 201,
    body: z.strictObject({ name: Name, text: Text }),
    response: SavedReply,
  }),
  update: endpoint('PATCH /api/whatsapp/saved-replies/:id', 'user', {
    refusals: [409],
    summary: 'Change the name or text of a saved reply',
    params: IdParams,
    body: z.strictObject({ name: Name.optional(), text: Text.optional() }),
    response: SavedReply,
  }),
  remove: endpoint('DELETE /api/whatsapp/saved-replies/:id', 'user', {
    summary: 'Delete a saved reply',
    params: IdParams,
    response: Empty,
  }),
}
