import { z } from 'zod'
import { Contact } from '#contracts/contacts/contacts.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { Id, IdParams, Moment } from '#contracts/values.ts'

/** For so long a merge can be undone. */
export const UNDO_DAYS = 30

/** A field in which the two differed: what stayed, and what went with the other contact. */
const Conflict = z.object({ field: z.string(), kept: z.string(), dropped: z.string() })

export const Merge = z.object({
  id: Id,
  /** The address of the contact that went; its name where it had none. */
  other: z.string(),
  at: Moment,
  /** Until when it can be undone. */
  undoUntil: Moment,
})
export type Merge = z.infer<typeof Merge>

export const contactMerges = {
  merge: endpoint('POST /api/contacts/:id/merge', 'user', {
    refusals: [409],
    summary:
      'Merge another contact into this one: fields this one lacks, lists, tags, messages and conversations are taken over, and the other goes',
    rules: 'The other contact exists and is not this one.',
    params: IdParams,
    body: z.strictObject({ otherId: Id }),
    response: Contact.extend({ mergeId: Id, conflicts: z.array(Conflict) }),
  }),
  list: endpoint('GET /api/contacts/:id/merges', 'user', {
    summary: 'List the merges into a contact that can be undone, newest first',
    params: IdParams,
    response: z.object({ items: z.array(Merge) }),
  }),
  undo: endpoint('POST /api/contacts/:id/unmerge', 'user', {
    refusals: [409],
    summary: 'Undo a merge: the other contact is there again with what it had, and loses nothing that came since',
    rules: 'The merge is one of this contact.',
    params: IdParams,
    body: z.strictObject({ mergeId: Id }),
    response: Contact,
  }),
}
