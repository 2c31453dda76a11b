import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import { askAnewAt } from './confirmations/confirmations-store.ts'
import { contactParts } from './contact-parts.ts'
import { keepLeftLists } from './erasure/erased-store.ts'
import { deleteOrigins } from './origins-store.ts'
import type { Secret } from './suppressions/retained-suppressions.ts'

export type AttributeValue = string | number | boolean | null
export type AttributeMap = Record<string, AttributeValue>

export interface ContactRow {
  id: string
  email: string | null
  phone: string | null
  bsuid: string | null
  name: string
  attributes: AttributeMap
  source: string
  createdAt: Date
  updatedAt: Date
  lists: string[]
  suppressed: string | null
}

export interface ContactFields {
  email?: string | null
  emailKey?: string | null
  phone?: string | null
  bsuid?: string | null
  name?: string
  attributes?: AttributeMap
}

interface ContactPageQuery {
  limit: number
  before?: string
  listId?: string
  q?: string
}

/** What is looked for, anywhere in address, name and phone number; in a phone number spaces and signs do not count. */
function matching(q: string) {
  const pattern = holding(q.normalize('NFC'))
  const digits = q.replace(/[\s()./-]/g, '')
  if (/^\+\d{3,}$/.test(digits)) return sql`and c.phone like ${`${digits}%`}`
  const phone = /^\d{3,}$/.test(digits) ? sql`or c.phone like ${`%${digits}%`}` : sql``
  return sql`and (c.email_key like ${pattern} or lower(c.name) like ${pattern} ${phone})`
}

// Lists somebody left stay out: only membership that counts is shown.
const shown = sql`
  page.id, page.email, page.phone, page.bsuid, page.name, page.attributes, page.source, page.created_at, page.updated_at,
  array(select lm.list_id::text from list_members lm join lists l on l.id = lm.list_id and l.workspace_id = page.workspace_id
    where lm.contact_id = page.id and lm.status <> 'unsubscribed' order by lm.list_id) as lists,
  coalesce(
    (select reason from suppressions s where s.workspace_id = page.workspace_id and s.channel = 'email' and s.address_key = page.email_key),
    (select reason from suppressions s where s.workspace_id = page.workspace_id and s.channel = 'whatsapp' and s.address_key in (page.phone, page.bsuid) limit 1)
  ) as suppressed`

/** Contacts, newest first; `before` is the last id of the page before. Reads no other workspace's rows. */
export async function contactPage(db: Db, workspaceId: string, page: ContactPageQuery): Promise<ContactRow[]> {
  const search = page.q ? matching(page.q) : sql``
  const members = sql`from list_members lm join contacts c on c.id = lm.contact_id and c.workspace_id = ${workspaceId}
    where lm.list_id = ${page.listId ?? null} and lm.status <> 'unsubscribed' ${page.before ? sql`and lm.contact_id < ${page.before}` : sql``} ${search}
    order by lm.contact_id desc`
  const all = sql`from contacts c where c.workspace_id = ${workspaceId} ${page.before ? sql`and c.id < ${page.before}` : sql``} ${search} order by c.id desc`
  const { rows } = await sql<ContactRow>`
    with page as materialized (select c.* ${page.listId ? members : all} limit ${page.limit})
    select ${shown} from page order by page.id desc`.execute(db)
  return rows
}

export type PlainRow = Pick<ContactRow, 'id' | 'email' | 'phone' | 'name' | 'attributes'>

/** What an export holds of contacts, newest first; `before` is the last id of the page before. */
export async function plainPage(
  db: Db,
  workspaceId: string,
  page: { limit: number; before?: string; listId?: string },
): Promise<PlainRow[]> {
  const from = page.listId
    ? sql`from list_members lm join contacts c on c.id = lm.contact_id and c.workspace_id = ${workspaceId}
        where lm.list_id = ${page.listId} and lm.status <> 'unsubscribed' ${page.before ? sql`and lm.contact_id < ${page.before}` : sql``} order by lm.contact_id desc`
    : sql`from contacts c where c.workspace_id = ${workspaceId} ${page.before ? sql`and c.id < ${page.before}` : sql``} order by c.id desc`
  return (
    await sql<PlainRow>`select c.id, c.email, c.phone, c.name, c.attributes ${from} limit ${page.limit}`.execute(db)
  ).rows
}

/** The id of the contact with exactly this address. */
export async function idByEmail(db: Db, workspaceId: string, emailKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('contacts')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('emailKey', '=', emailKey)
    .executeTakeFirst()
  return row?.id
}

export async function contactById(db: Db, workspaceId: string, id: string): Promise<ContactRow | undefined> {
  const { rows } = await sql<ContactRow>`
    with page as (select * from contacts where workspace_id = ${workspaceId} and id = ${id}) select ${shown} from page`.execute(
    db,
  )
  return rows[0]
}

/** The contact with this address key, or, without one, with this phone number. Locked until the transaction ends. */
export async function findContact(
  db: Db,
  workspaceId: string,
  by: { emailKey: string } | { phone: string },
): Promise<string | undefined> {
  let query = db.selectFrom('contacts').select('id').where('workspaceId', '=', workspaceId)
  query =
    'emailKey' in by
      ? query.where('emailKey', '=', by.emailKey)
      : query.where('phone', '=', by.phone).orderBy('emailKey', (order) => order.desc().nullsFirst())
  return (await query.limit(1).forUpdate().executeTakeFirst())?.id
}

/** Inserts a contact. Returns undefined when the address, or the number of a contact without one, is taken. */
export async function insertContact(
  db: Db,
  workspaceId: string,
  fields: ContactFields,
  source: string,
): Promise<string | undefined> {
  const { attributes = {}, ...rest } = fields
  const row = await db
    .insertInto('contacts')
    .values({ workspaceId, ...rest, attributes: JSON.stringify(attributes), source })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Changes a contact; attributes are merged and null removes one. Returns whether it exists. A taken address breaks the unique index. */
export async function updateContact(db: Db, workspaceId: string, id: string, fields: ContactFields): Promise<boolean> {
  const { attributes, ...rest } = fields
  if (rest.emailKey !== undefined) await askAnewAt(db, workspaceId, id, rest.emailKey)
  const merged = attributes && {
    attributes: sql<string>`jsonb_strip_nulls(attributes || ${JSON.stringify(attributes)}::jsonb)`,
  }
  const row = await db
    .updateTable('contacts')
    .set({ ...rest, ...merged, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Stores Meta's id of a contact that was known by phone number, unless another contact has it: so they can be reached once they hide the number. */
export async function learnBsuid(db: Db, workspaceId: string, id: string, bsuid: string): Promise<void> {
  await sql`update contacts set bsuid = ${bsuid} where workspace_id = ${workspaceId} and id = ${id}
    and not exists (select 1 from contacts o where o.workspace_id = ${workspaceId} and o.bsuid = ${bsuid})`.execute(db)
}

/** What a contact is reached by, locked until the transaction ends. */
export function lockAddresses(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select(['email', 'emailKey', 'phone', 'bsuid'])
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Removes a contact with its memberships and where it came from; the lists it had unsubscribed from are remembered by hash.
 * Returns whether it existed.
 */
export async function deleteContact(db: Db, config: Secret, workspaceId: string, id: string): Promise<boolean> {
  await keepLeftLists(db, config, workspaceId, id)
  const row = await db
    .deleteFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (row) {
    await db.deleteFrom('listMembers').where('workspaceId', '=', workspaceId).where('contactId', '=', id).execute()
    await deleteOrigins(db, workspaceId, id)
    for (const part of contactParts()) await part.deleteWith?.(db, workspaceId, id)
  }
  return row !== undefined
}

/** Puts a contact on exactly these lists. Who left a list is not put on it again; on a double opt-in list newcomers are pending. */
export async function setLists(db: Db, workspaceId: string, contactId: string, listIds: string[]): Promise<void> {
  await sql`delete from list_members where workspace_id = ${workspaceId} and contact_id = ${contactId} and status <> 'unsubscribed'
    and list_id <> all(${listIds}::bigint[])`.execute(db)
  await addToLists(db, workspaceId, contactId, listIds)
}

/** Puts a contact on these lists too. */
export async function addToLists(db: Db, workspaceId: string, contactId: string, listIds: string[]): Promise<void> {
  await sql`insert into list_members (workspace_id, list_id, contact_id, status)
    select ${workspaceId}, id, ${contactId}, case optin when 'double' then 'pending' else 'confirmed' end
    from lists where workspace_id = ${workspaceId} and id = any(${listIds}::bigint[]) order by id on conflict do nothing`.execute(
    db,
  )
}

/** How many contacts there are, counted no further than `most`. */
export async function countContacts(db: Db, workspaceId: string, most: number, listId?: string): Promise<number> {
  const from = listId
    ? sql`list_members where list_id = ${listId} and workspace_id = ${workspaceId} and status <> 'unsubscribed'`
    : sql`contacts where workspace_id = ${workspaceId}`
  const { rows } = await sql<{
    n: string
  }>`select count(*) as n from (select 1 from ${from} limit ${most}) as counted`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** The attribute names of the newest `sample` contacts before `before`, with the last id looked at. */
export async function attributeNames(
  db: Db,
  workspaceId: string,
  sample: number,
  before?: string,
): Promise<{ names: string[]; last: string | null }> {
  const { rows } = await sql<{ names: string[] | null; last: string | null }>`
    with newest as materialized (select id, attributes from contacts where workspace_id = ${workspaceId} ${before ? sql`and id < ${before}` : sql``}
      order by id desc limit ${sample})
    select (select array_agg(distinct key order by key) from newest, jsonb_object_keys(attributes) as key) as names, min(id)::text as last from newest`.execute(
    db,
  )
  return { names: rows[0]?.names ?? [], last: rows[0]?.last ?? null }
}
