import { sql } from 'kysely'
import type { ContactStatus } from '#contracts/contacts/filter.ts'
import type { Db } from '#server/platform/db/database.ts'
import { deleteConfirmations } from './confirmations/confirmations-store.ts'
import { askAnewAt } from './confirmations/members-store.ts'
import { contactParts } from './contact-parts.ts'
import { keepLeftLists } from './erasure/erased-store.ts'
import { deleteEvents } from './events/events-store.ts'
import { deleteMerges } from './merging/merges-store.ts'
import { deleteOrigins } from './origins-store.ts'
import { deleteChanges } from './preferences/preferences-store.ts'
import { contactStatus } from './status.ts'
import { emailKeys, ownFirst } from './suppressions/email-keys.ts'
import type { Secret } from './suppressions/retained-suppressions.ts'
import { deleteTagClicks } from './tags/click-tags-store.ts'
import { deleteEdits } from './timeline/edits-store.ts'

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
  tags: string[]
  suppressed: string | null
  status: ContactStatus
}

export interface ContactFields {
  email?: string | null
  emailKey?: string | null
  phone?: string | null
  bsuid?: string | null
  name?: string
  attributes?: AttributeMap
}

/** What is shown of the contacts `c`. Lists somebody left stay out: only membership that counts is shown. */
export const shownColumns = (workspaceId: string) => sql`
  c.id, c.email, c.phone, c.bsuid, c.name, c.attributes, c.source, c.created_at, c.updated_at,
  array(select lm.list_id::text from list_members lm join lists l on l.id = lm.list_id and l.workspace_id = ${workspaceId}
    where lm.workspace_id = ${workspaceId} and lm.contact_id = c.id and lm.status <> 'unsubscribed' order by lm.list_id) as lists,
  array(select ct.tag_id::text from contact_tags ct join tags t on t.workspace_id = ${workspaceId} and t.id = ct.tag_id
    where ct.workspace_id = ${workspaceId} and ct.contact_id = c.id order by ct.tag_id) as tags,
  coalesce(
    (select reason from suppressions s where s.workspace_id = ${workspaceId} and s.channel = 'email' and s.address_key in (${emailKeys(sql.ref('c.email_key'))})
      order by ${ownFirst} limit 1),
    (select reason from suppressions s where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp' and s.address_key in (c.phone, c.bsuid) limit 1)
  ) as suppressed, ${contactStatus(workspaceId)} as status`

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
    select ${shownColumns(workspaceId)} from contacts c where c.workspace_id = ${workspaceId} and c.id = ${id}`.execute(
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
 * Removes contacts with their memberships, their tags and where they came from; the lists they had unsubscribed from are remembered by
 * hash. Returns how many there were. `retainEvents`: an undo may put them back, and finds their events by their ids.
 */
export async function deleteContacts(
  db: Db,
  config: Secret,
  workspaceId: string,
  ids: string[],
  { retainEvents = false } = {},
): Promise<number> {
  if (ids.length === 0) return 0
  await keepLeftLists(db, config, workspaceId, ids)
  await deleteConfirmations(db, workspaceId, ids)
  const { numDeletedRows } = await db
    .deleteFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .executeTakeFirst()
  const count = Number(numDeletedRows)
  if (count === 0) return 0
  await db.deleteFrom('listMembers').where('workspaceId', '=', workspaceId).where('contactId', 'in', ids).execute()
  await db.deleteFrom('contactTags').where('workspaceId', '=', workspaceId).where('contactId', 'in', ids).execute()
  await deleteTagClicks(db, workspaceId, ids)
  await deleteOrigins(db, workspaceId, ids)
  await deleteMerges(db, workspaceId, ids)
  await deleteChanges(db, workspaceId, ids)
  await deleteEdits(db, workspaceId, ids)
  if (!retainEvents) await deleteEvents(db, workspaceId, ids)
  for (const part of contactParts()) await part.deleteWith?.(db, workspaceId, ids)
  return count
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
    select ${workspaceId}, id, ${contactId}, case when optin = 'double' then 'pending' else 'confirmed' end
    from lists where workspace_id = ${workspaceId} and id = any(${listIds}::bigint[]) order by id on conflict do nothing`.execute(
    db,
  )
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
