/** Conditions over the contact `c` that lists and segments share. */
import { sql } from 'kysely'
import type { ContactStatus } from '#contracts/contacts/filter.ts'
import { holding } from '#server/platform/db/like.ts'
import { contactStatus } from './status.ts'

/** In the order a table sorted by status shows them. */
export const STATUSES: ContactStatus[] = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'suppressed']

/** A phone number with its country code as it is stored, whatever spaces and signs are between its digits; any other text as it is. */
export function readSearch(q: string): string {
  const digits = q.replace(/[\s()./-]/g, '')
  return /^\+\d{3,}$/.test(digits) ? digits : q
}

/** What is looked for, anywhere in address, name and phone number; in a phone number spaces and signs do not count. */
export function containing(q: string) {
  const pattern = holding(q.normalize('NFC'))
  const digits = q.replace(/[\s()./-]/g, '')
  if (/^\+\d{3,}$/.test(digits)) return sql<boolean>`c.phone like ${`${digits}%`}`
  const phone = /^\d{3,}$/.test(digits) ? sql`or c.phone like ${`%${digits}%`}` : sql``
  return sql<boolean>`(c.email_key like ${pattern} or lower(c.name) like ${pattern} ${phone})`
}

/** Said by what it is not, the usual status makes the planner expect nearly all contacts, so that it walks along the order. */
export const isStatus = (workspaceId: string, status: ContactStatus) =>
  status === 'subscribed'
    ? sql<boolean>`${contactStatus(workspaceId)} <> all (${STATUSES.filter((other) => other !== status)}::text[])`
    : sql<boolean>`${contactStatus(workspaceId)} = ${status}`
