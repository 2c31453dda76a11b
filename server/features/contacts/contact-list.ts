import { z } from 'zod'
import type { Contact } from '#contracts/contacts/contacts.ts'
import { ContactCursor, type ContactSort } from '#contracts/contacts/filter.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage, wholeList } from '#server/platform/http/page.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { normalizeEmail } from './address.ts'
import { presentContact, showContact } from './contacts.ts'
import type { ContactMatch, ContactOrder, ContactPlace } from './pages-store.ts'
import * as pages from './pages-store.ts'
import { idByEmail } from './store.ts'

/** Up to this many contacts a list says how many there are in all. */
const COUNTED = 200_000
/** The same where each contact has to be asked for its status. */
const COUNTED_BY_STATUS = 50_000

/** Who looks for a whole address means that one: found by index however many contacts there are. */
async function byAddress(db: Db, workspaceId: string, q: string): Promise<Contact | undefined> {
  const email = normalizeEmail(q)
  const id = 'key' in email ? await idByEmail(db, workspaceId, email.key) : undefined
  return id === undefined ? undefined : showContact(db, workspaceId, id)
}

/** What `sort` asks for. */
const toOrder = (sort: ContactSort): ContactOrder => ({
  by: sort.replace('-', '') as ContactOrder['by'],
  descending: sort.startsWith('-'),
})

/** The place in the cursor, which belongs to one order. */
function readCursor(sort: ContactSort, cursor: z.output<typeof ContactCursor> | undefined): ContactPlace | undefined {
  if (!cursor) return undefined
  const [order, part, key, id] = cursor
  if (order !== sort) throw invalid('cursor', 'is not a cursor of this order')
  return { part, key, id }
}

/** One page of contacts in an order, with the cursor of the next; the first page says how many there are, as far as that is cheap. */
export async function listContacts(
  db: Db,
  workspaceId: string,
  {
    limit,
    sort,
    cursor,
    ...given
  }: { limit: number; sort: ContactSort; cursor?: z.output<typeof ContactCursor> | undefined } & ContactMatch,
) {
  const match = { ...given, q: given.q?.trim() || undefined }
  const after = readCursor(sort, cursor)
  const isSearchAlone =
    match.q && !after && !match.listId && !match.tag && !match.where && !match.status && !match.source
  const whole = isSearchAlone && match.q ? await byAddress(db, workspaceId, match.q) : undefined
  if (whole) return { ...wholeList([whole]), total: 1 }
  const rows = await pages.contactPage(db, workspaceId, match, { limit: limit + 1, order: toOrder(sort), after })
  const { items: shown, nextCursor } = takePage(rows, limit, ({ place }) =>
    z.encode(ContactCursor, [sort, place.part, place.key, place.id]),
  )
  const items = shown.map(({ place: _, ...row }) => presentContact(row))
  if (after || (match.q && nextCursor)) return { items, nextCursor }
  const most = match.status ? COUNTED_BY_STATUS : COUNTED
  const total = nextCursor === null ? items.length : await pages.countContacts(db, workspaceId, match, most + 1)
  return { items, nextCursor, ...(total <= most && { total }) }
}
