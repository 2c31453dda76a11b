import { type RawBuilder, sql } from 'kysely'
import { asciiDomain, isPublicDomain } from '#contracts/email-address.ts'
import { isAmong } from '../segments/sets.ts'

/** The key under which every address of a domain is suppressed: @example.com. No address is written like that. */
export const toDomainKey = (domain: string) => `@${domain}`

/** The key of a domain that is written with or without the @ before it; null: it is none. */
export function readDomainKey(text: string): string | null {
  const ascii = asciiDomain(text.replace(/^@/, ''))
  return ascii !== null && isPublicDomain(ascii) ? toDomainKey(ascii) : null
}

/** The same for a column with the key of an email address. */
export const domainKey = (column: RawBuilder<unknown>) => sql`'@' || split_part(${column}, '@', 2)`

/** The keys an email address may be suppressed by, for `in (…)`: its own and that of its domain. */
export const emailKeys = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`${column}, ${domainKey(column)}`

/** For `order by`: what is known of the address itself comes before what holds for its domain. */
export const ownFirst = sql`address_key like '@%'`

/** The keys of the domains a workspace suppresses. */
export const suppressedDomains = (workspaceId: string) =>
  sql`select address_key from suppressions where workspace_id = ${workspaceId} and channel = 'email' and address_key like '@%'`

/** Whether the domain of an email address is suppressed. Most workspaces suppress none, and look at no address for it. */
export const isDomainSuppressed = (workspaceId: string, column: RawBuilder<unknown>) =>
  sql<boolean>`(exists (${suppressedDomains(workspaceId)}) and ${isAmong(domainKey(column), suppressedDomains(workspaceId))})`
