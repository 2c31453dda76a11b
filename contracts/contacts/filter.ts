import { z } from 'zod'
import { jsonField } from '#contracts/form-file.ts'
import { cursorCodec, Id, Search } from '#contracts/values.ts'
import { ContactFilter, ContactSource, ContactStatus } from './conditions.ts'
import { TagRef } from './tags.ts'

export { ContactFilter, ContactSource, ContactStatus }

const SORTED_BY = ['email', 'name', 'createdAt', 'status'] as const
export type ContactSortField = (typeof SORTED_BY)[number]

/** `email`, or `-email` for the other direction. Text is in natural order: person2 before person10; empty values come last. */
export const ContactSort = z.enum(
  SORTED_BY.flatMap((field) => [field, `-${field}`] as const),
  {
    error: ({ input }) =>
      `cannot be ${JSON.stringify(String(input).slice(0, 40))}: use ${SORTED_BY.join(', ')}, or one of them after a -`,
  },
)
export type ContactSort = z.infer<typeof ContactSort>

/** Which contacts; the same for a list of them and for its export. */
export const contactMatch = {
  listId: Id.optional(),
  segmentId: Id.optional(),
  tag: TagRef.describe('The id of a tag, or its name').optional(),
  q: Search.optional(),
  status: ContactStatus.optional(),
  source: ContactSource.optional(),
  filter: jsonField(ContactFilter, 'of op and items').describe('The JSON of a filter').optional(),
}

/** Where a page of contacts ended: its order, the part of that order, what the last contact is sorted by, and its id. */
export const ContactCursor = cursorCodec(
  z.tuple([
    ContactSort,
    z.number().int().min(0).max(9),
    z
      .string()
      .regex(/^[^\0]*$/)
      .max(100),
    Id,
  ]),
)
