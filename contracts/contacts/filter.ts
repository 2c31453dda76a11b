import { z } from 'zod'
import { cursorCodec, Id, Search } from '#contracts/values.ts'

/**
 * Whether campaigns reach a contact by its email address, or by its phone number where it has none: unsubscribed by its own
 * wish, bounced, suppressed for another reason, or pending until it confirms a list.
 */
export const ContactStatus = z.enum(['subscribed', 'pending', 'unsubscribed', 'bounced', 'suppressed'])
export type ContactStatus = z.infer<typeof ContactStatus>

/** How a contact came into the workspace: by hand, the API, an import, a scrape or a WhatsApp message. */
export const ContactSource = z.enum(['manual', 'api', 'import', 'collected', 'whatsapp'])
export type ContactSource = z.infer<typeof ContactSource>

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
  tag: Id.describe('The id of a tag').optional(),
  q: Search.optional(),
  status: ContactStatus.optional(),
  source: ContactSource.optional(),
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

const FilterItem = z.discriminatedUnion('field', [
  z.strictObject({ field: z.literal('list'), is: z.literal('equal'), value: Id }),
  z.strictObject({ field: z.literal('tag'), is: z.literal('equal'), value: Id }),
  z.strictObject({ field: z.literal('status'), is: z.literal('equal'), value: ContactStatus }),
  z.strictObject({ field: z.literal('source'), is: z.literal('equal'), value: ContactSource }),
  z.strictObject({ field: z.literal('search'), is: z.literal('containing'), value: Search.min(1, 'is required') }),
])

/** Contacts by what they have in common; each field at most once. Without items it is all contacts. */
export const ContactFilter = z
  .strictObject({ op: z.literal('and'), items: z.array(FilterItem).max(5) })
  .refine(({ items }) => new Set(items.map(({ field }) => field)).size === items.length, {
    path: ['items'],
    message: 'has a field twice',
  })
export type ContactFilter = z.infer<typeof ContactFilter>
