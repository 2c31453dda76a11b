import { type RawBuilder, sql } from 'kysely'

/** Who is erased: the removed contact's id, all they were reached by, and what stands in its place from now on. */
export interface ErasedAddresses {
  workspaceId: string
  contactId: string
  email: string | null
  emailKey: string | null
  phone: string | null
  bsuid: string | null
  /** Says nothing to anybody, and the same for the same person. */
  pseudonym: string
}

/** A text as a part of a regular expression. */
const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Every spelling of the person's addresses; numbers also as WhatsApp has them, without the plus. */
const spellings = ({ email, emailKey, phone, bsuid }: ErasedAddresses) => [
  ...new Set([email, emailKey, phone, phone?.slice(1), bsuid].flatMap((text) => (text ? [text] : []))),
]

/** A regular expression of PostgreSQL that finds the person, the longest spelling first. */
export const anySpelling = (who: ErasedAddresses) =>
  spellings(who)
    .sort((a, b) => b.length - a.length)
    .map(quoted)
    .join('|')

/** A column's text with the pseudonym instead of the person. */
export const without = (column: RawBuilder<unknown>, who: ErasedAddresses) =>
  sql`regexp_replace(${column}, ${anySpelling(who)}, ${who.pseudonym}, 'gi')`
