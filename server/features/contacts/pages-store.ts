/** Contacts page by page: which, in which order. Reads no other workspace's rows. */
import { type RawBuilder, sql } from 'kysely'
import type { ContactSortField, ContactStatus } from '#contracts/contacts/filter.ts'
import type { Db } from '#server/platform/db/database.ts'
import { withoutWays } from '#server/platform/db/planner.ts'
import { selectRows } from '#server/platform/db/select-rows.ts'
import { containing, isStatus, STATUSES } from './matching.ts'
import { contactStatus, statusCandidates } from './status.ts'
import { type AttributeMap, type ContactRow, shownColumns } from './store.ts'

/** Which contacts: members of a list, with a tag, with a text, of a status, from a source. */
export interface ContactMatch {
  listId?: string | undefined
  tag?: string | undefined
  q?: string | undefined
  status?: ContactStatus | undefined
  source?: string | undefined
  /** A further condition over the contact `c`. */
  where?: RawBuilder<boolean> | undefined
}

/** An order of contacts: a field, and its direction. Empty values come last in both. */
export interface ContactOrder {
  by: ContactSortField
  descending: boolean
}

/** Where a page ended: the part of the order, what its last contact is sorted by ('' by its id alone), and its id. */
export interface ContactPlace {
  part: number
  key: string
  id: string
}

const NEWEST_FIRST: ContactOrder = { by: 'createdAt', descending: true }

const hasTag = (workspaceId: string, tag: string) => sql`exists (
  select 1 from contact_tags ct where ct.workspace_id = ${workspaceId} and ct.tag_id = ${tag} and ct.contact_id = c.id)`

/** `from … where …` of the contacts `c` that match. */
function matching(workspaceId: string, { listId, tag, q, status, source, where }: ContactMatch) {
  const rest = sql`${q ? sql`and ${containing(q)}` : sql``} ${source === undefined ? sql`` : sql`and c.source = ${source}`}
    ${status === undefined ? sql`` : sql`and ${isStatus(workspaceId, status)}`} ${tag === undefined ? sql`` : sql`and ${hasTag(workspaceId, tag)}`}
    ${where === undefined ? sql`` : sql`and (${where})`}`
  const candidates = status && statusCandidates(workspaceId, status)
  const from = candidates
    ? sql`(select distinct id from (${candidates}) maybe) maybe join contacts c on c.workspace_id = ${workspaceId} and c.id = maybe.id`
    : sql`contacts c`
  if (listId === undefined) return sql`from ${from} where c.workspace_id = ${workspaceId} ${rest}`
  return sql`from list_members lm join ${candidates ? sql`(${from})` : from} on c.id = lm.contact_id and c.workspace_id = ${workspaceId}
    where lm.list_id = ${listId} and lm.workspace_id = ${workspaceId} and lm.status <> 'unsubscribed' ${rest}`
}

const isListAlone = (match: ContactMatch) =>
  match.listId !== undefined && Object.values(match).filter((value) => value !== undefined).length === 1

/**
 * The same for a page in the order of ids. Of a list alone the page is read along the key of its members: joined as a whole, a
 * million of them are sorted for each page, because the planner does not know how large a workspace is (decision 0013).
 */
function matchingInOrder(
  workspaceId: string,
  match: ContactMatch,
  { limit, after, isAscending = false }: { limit: number; after?: string | undefined; isAscending?: boolean },
) {
  if (!isListAlone(match)) return matching(workspaceId, match)
  const [direction, than] = isAscending ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  return sql`from (select contact_id from list_members
      where workspace_id = ${workspaceId} and list_id = ${match.listId} and status <> 'unsubscribed'
        ${after === undefined ? sql`` : sql`and contact_id ${than} ${after}::bigint`}
      order by contact_id ${direction} limit ${limit}) lm
    join contacts c on c.workspace_id = ${workspaceId} and c.id = lm.contact_id where true`
}

/** A stretch of an order that one index gives: its further condition, and the column before the id. */
interface OrderPart {
  where?: RawBuilder<unknown>
  column?: RawBuilder<unknown>
  status?: ContactStatus
}

function orderParts({ by, descending }: ContactOrder): OrderPart[] {
  switch (by) {
    case 'createdAt':
      return [{}]
    case 'email':
      return [
        { where: sql`c.email_key is not null`, column: sql`left(c.email_key, 50) collate natural_order` },
        { where: sql`c.email_key is null` },
      ]
    case 'name':
      return [
        { where: sql`c.name <> ''`, column: sql`left(c.name, 50) collate natural_order` },
        { where: sql`c.name = ''` },
      ]
    case 'status':
      return (descending ? STATUSES.toReversed() : STATUSES).map((status) => ({ status }))
  }
}

/** Contacts of one part of an order, after a place. */
async function partPage(
  db: Db,
  workspaceId: string,
  match: ContactMatch,
  order: ContactOrder,
  part: OrderPart,
  page: { limit: number; after?: ContactPlace | undefined },
): Promise<(ContactRow & { key: string })[]> {
  // Within a part without a column the newest come first, whatever the direction of the field.
  const down = part.column ? order.descending : order.by !== 'createdAt' || order.descending
  const [direction, than] = down ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const { after } = page
  const beyond = !after
    ? sql``
    : part.column
      ? sql`and (${part.column}, c.id) ${than} (${after.key}::text, ${after.id}::bigint)`
      : sql`and c.id ${than} ${after.id}`
  const inOrder = part.column ? sql`${part.column} ${direction}, c.id ${direction}` : sql`c.id ${direction}`
  const partMatch = { ...match, ...(part.status && { status: part.status }) }
  const from =
    order.by === 'createdAt'
      ? matchingInOrder(workspaceId, partMatch, { limit: page.limit, after: after?.id, isAscending: !down })
      : matching(workspaceId, partMatch)
  const query = sql<ContactRow & { key: string }>`
    with page as materialized (
      select c.* ${from}
        ${part.where ? sql`and ${part.where}` : sql``} ${beyond}
      order by ${inOrder} limit ${page.limit}
    )
    select ${shownColumns(workspaceId)}, ${part.column ?? sql`''`} as key from page c order by ${inOrder}`
  // Of a text alone the planner expects few matches, and would read the whole workspace to sort them.
  const isWalked = match.q && !match.listId && !match.tag && !match.where && !partMatch.status
  return isWalked
    ? withoutWays(db, ['seqscan', 'bitmapscan', 'sort'], (db) => selectRows(db, query))
    : selectRows(db, query)
}

/** Contacts that match, in an order, newest first if none is given; each with its place. */
export async function contactPage(
  db: Db,
  workspaceId: string,
  match: ContactMatch,
  page: { limit: number; order?: ContactOrder; after?: ContactPlace | undefined },
): Promise<(ContactRow & { place: ContactPlace })[]> {
  const order = page.order ?? NEWEST_FIRST
  const found: (ContactRow & { place: ContactPlace })[] = []
  for (const [index, part] of orderParts(order).entries()) {
    if (index < (page.after?.part ?? 0)) continue
    // Another status is asked for: nothing of this part can be among those that match.
    if (part.status && match.status && part.status !== match.status) continue
    const after = page.after?.part === index ? page.after : undefined
    const limit = page.limit - found.length
    const rows = await partPage(db, workspaceId, match, order, part, { limit, after })
    found.push(...rows.map(({ key, ...row }) => ({ ...row, place: { part: index, key, id: row.id } })))
    if (found.length >= page.limit) break
  }
  return found
}

/** What an export holds of a contact. */
export interface PlainRow {
  id: string
  email: string | null
  phone: string | null
  name: string
  status: ContactStatus
  /** The names of its tags. */
  tags: string[]
  attributes: AttributeMap
}

/** What an export holds of contacts that match, newest first; `before` is the last id of the page before. */
export async function plainPage(
  db: Db,
  workspaceId: string,
  match: ContactMatch & { ids?: readonly string[] | undefined },
  page: { limit: number; before?: string | undefined },
): Promise<PlainRow[]> {
  const from = matchingInOrder(workspaceId, match, { limit: page.limit, after: page.before })
  const { rows } = await sql<PlainRow>`
    with page as materialized (
      select c.* ${from} ${match.ids ? sql`and c.id = any(${match.ids}::bigint[])` : sql``}
        ${page.before ? sql`and c.id < ${page.before}` : sql``} order by c.id desc limit ${page.limit}
    )
    select c.id, c.email, c.phone, c.name, c.attributes, ${contactStatus(workspaceId)} as status,
      array(select t.name from contact_tags ct join tags t on t.workspace_id = ${workspaceId} and t.id = ct.tag_id
        where ct.workspace_id = ${workspaceId} and ct.contact_id = c.id order by t.name) as tags
    from page c order by c.id desc`.execute(db)
  return rows
}

/** The ids of contacts that match, from `below` down. */
export async function matchingIds(
  db: Db,
  workspaceId: string,
  match: ContactMatch,
  page: { limit: number; below: string },
): Promise<string[]> {
  const from = matchingInOrder(workspaceId, match, { limit: page.limit, after: page.below })
  const { rows } = await sql<{ id: string }>`
    select c.id ${from} and c.id < ${page.below} order by c.id desc limit ${page.limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** How many contacts match, counted no further than `most`. */
export async function countContacts(db: Db, workspaceId: string, match: ContactMatch, most: number): Promise<number> {
  const from = isListAlone(match)
    ? sql`from list_members where list_id = ${match.listId} and workspace_id = ${workspaceId} and status <> 'unsubscribed'`
    : matching(workspaceId, match)
  const { rows } = await sql<{
    n: string
  }>`select count(*) as n from (select 1 ${from} limit ${most}) as counted`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
