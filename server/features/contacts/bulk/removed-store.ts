/** Contacts that a change of many removed: their rows are set aside for a day, and put back where that is asked for. */
import { sql } from 'kysely'
import { roomForContacts } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { contactParts } from '../contact-parts.ts'
import { erasedKeys, leaveAgain } from '../erasure/erased-store.ts'
import { deleteGone } from '../events/events-store.ts'
import { contactLocale } from '../preferences/preferences-store.ts'
import type { Secret } from '../suppressions/retained-suppressions.ts'
import { type Before, holdsContact } from './bulk-store.ts'

/** What hangs on a contact, by its column `contact_id`. Its events stay where they are: there may be many. */
const TABLES = {
  list_members: sql`insert into list_members`,
  contact_tags: sql`insert into contact_tags`,
  tag_clicks: sql`insert into tag_clicks`,
  contact_origins: sql`insert into contact_origins`,
  contact_merges: sql`insert into contact_merges`,
  contact_edits: sql`insert into contact_edits`,
  preference_changes: sql`insert into preference_changes`,
  confirmations: sql`insert into confirmations`,
}
type Table = keyof typeof TABLES
const TABLE_NAMES = Object.keys(TABLES) as Table[]

/** Rows of lists and tags that were deleted meanwhile stay away. */
const isThere = (workspaceId: string, table: Table) =>
  table === 'list_members'
    ? sql`exists (select 1 from lists p where p.workspace_id = ${workspaceId} and p.id = r.list_id)`
    : table === 'contact_tags'
      ? sql`exists (select 1 from tags p where p.workspace_id = ${workspaceId} and p.id = r.tag_id)`
      : sql`true`

interface Aside {
  contact: { id: string; email_key: string | null; phone: string | null; bsuid: string | null }
  /** The time of the unsubscribe that was known of the address; missing: none was. */
  unsubscribed?: string
  [table: string]: unknown
}

/** The rows of contacts that are about to be removed, by their ids. The contacts are locked until the transaction ends. */
export async function setAside(db: Db, workspaceId: string, ids: string[]): Promise<Record<string, Aside>> {
  const { rows } = await sql<{ id: string; contact: Aside['contact'] }>`
    select id, to_jsonb(c) || jsonb_build_object('id', id::text) as contact from contacts c
    where workspace_id = ${workspaceId} and id = any(${ids}::bigint[]) order by id for update`.execute(db)
  const aside: Record<string, Aside> = Object.fromEntries(rows.map(({ id, contact }) => [id, { contact }]))
  for (const { id, at } of await knownUnsubscribes(db, workspaceId, ids))
    Object.assign(aside[id] ?? {}, { unsubscribed: at })
  for (const table of TABLE_NAMES) {
    // As a text: it is only stored, and put back.
    const { rows } = await sql<{ id: string; found: string }>`
      select contact_id as id, jsonb_agg(to_jsonb(t))::text as found from ${sql.table(table)} t
      where workspace_id = ${workspaceId} and contact_id = any(${ids}::bigint[]) group by contact_id`.execute(db)
    for (const { id, found } of rows) Object.assign(aside[id] ?? {}, { [table]: found })
  }
  for (const { aside: part } of contactParts())
    for (const [id, found] of (await part?.read(db, workspaceId, ids)) ?? [])
      Object.assign(aside[id] ?? {}, { [part?.table ?? '']: found })
  return aside
}

/**
 * The unsubscribes of contacts, by the time each was stored with. Read before the memberships: of an unsubscribe that is committed
 * in between, the lists are then left a second time, and not never.
 */
async function knownUnsubscribes(db: Db, workspaceId: string, ids: string[]): Promise<{ id: string; at: string }[]> {
  const { rows } = await sql<{ id: string; at: string }>`
    select c.id, s.at::text as at from contacts c ${joinUnsubscribes(workspaceId)}
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[])`.execute(db)
  return rows
}

const joinUnsubscribes = (workspaceId: string) => sql`
  join suppressions s on s.workspace_id = ${workspaceId} and s.channel = 'email' and s.address_key = c.email_key and s.reason = 'unsubscribe'`

/** Who was set aside: how they were reached, the language stored with them, and whose contact they were. */
export interface SetAside {
  email: string | null
  emailKey: string | null
  phone: string | null
  bsuid: string | null
  locale: string | null
  company: string
}

/** A contact that was removed and may still be put back, by its id; `lock` holds what was set aside until the transaction ends. */
export async function findAside(
  db: Db,
  workspaceId: string,
  contactId: string,
  lock = false,
): Promise<SetAside | undefined> {
  const { rows } = await sql<SetAside>`
    select c.email, c.email_key, c.phone, c.bsuid, ${contactLocale} as locale, coalesce(nullif(w.company, ''), w.name) as company
    from contact_jobs j join workspaces w on w.id = j.workspace_id
    join contact_job_slices s on ${holdsContact(workspaceId, contactId)}
    cross join lateral jsonb_populate_record(null::contacts, s.changes -> ${contactId}::text -> 'contact') c
    where j.workspace_id = ${workspaceId} and j.action = 'delete' ${lock ? sql`for update of s` : sql``}`.execute(db)
  return rows[0]
}

/** Of contacts that were set aside: those nobody erased since. */
async function withoutErased(db: Db, config: Secret, workspaceId: string, given: Aside[]): Promise<Aside[]> {
  const keys = (column: 'email_key' | 'phone' | 'bsuid') => given.flatMap(({ contact }) => contact[column] ?? [])
  const erased = new Set([
    ...(await erasedKeys(db, config, workspaceId, 'email', keys('email_key'))),
    ...(await erasedKeys(db, config, workspaceId, 'whatsapp', [...keys('phone'), ...keys('bsuid')])),
  ])
  return given.filter(({ contact }) =>
    [contact.email_key, contact.phone, contact.bsuid].every((key) => key === null || !erased.has(key)),
  )
}

/**
 * Puts contacts back as they were when they were removed: as many as the plan has room for, and none whose
 * address another contact has by now or who was erased. Who unsubscribed meanwhile is on no list, and who left a list with another
 * contact that is gone too has left it. Returns how many.
 */
export async function putBack(db: Db, config: Secret, workspaceId: string, before: Before): Promise<number> {
  const room = await roomForContacts(db, workspaceId)
  const all = await withoutErased(db, config, workspaceId, Object.values(before) as Aside[])
  const wanted = all.slice(0, Math.max(0, room ?? all.length))
  const { rows } = await sql<{ id: string }>`
    insert into contacts overriding system value
    select r.* from jsonb_populate_recordset(null::contacts, ${JSON.stringify(wanted.map(({ contact }) => contact))}::jsonb) r
    where r.workspace_id = ${workspaceId} order by r.id on conflict do nothing returning id`.execute(db)
  const back = new Set(rows.map(({ id }) => id))
  const returned = wanted.filter(({ contact }) => back.has(contact.id))
  for (const table of TABLE_NAMES) await putBackRows(db, workspaceId, table, returned)
  for (const { aside: part } of contactParts()) await part?.putBack(db, workspaceId, findTexts(returned, part.table))
  await leaveSince(db, workspaceId, returned)
  const keys = returned.flatMap(({ contact }) => contact.email_key ?? contact.phone ?? [])
  await leaveAgain(db, config, workspaceId, keys)
  await deleteGone(db, workspaceId, Object.keys(before))
  return back.size
}

const findTexts = (returned: Aside[], table: string) =>
  returned.flatMap((aside) => (aside[table] as string | undefined) ?? [])

async function putBackRows(db: Db, workspaceId: string, table: Table, returned: Aside[]): Promise<void> {
  const texts = findTexts(returned, table)
  if (texts.length === 0) return
  await sql`
    ${TABLES[table]} overriding system value
    select r.* from unnest(${texts}::text[]) as given (rows)
    cross join lateral jsonb_populate_recordset(null::${sql.table(table)}, given.rows::jsonb) r
    where r.workspace_id = ${workspaceId} and ${isThere(workspaceId, table)} on conflict do nothing`.execute(db)
}

/**
 * Takes off every list whose address was unsubscribed since it was set aside. Not by a time: an unsubscribe that was begun before the
 * removal may have been stored after it.
 */
async function leaveSince(db: Db, workspaceId: string, returned: Aside[]): Promise<void> {
  const known = returned.map(({ unsubscribed }) => unsubscribed ?? null)
  await sql`
    update list_members m set status = 'unsubscribed', at = now()
    from unnest(${returned.map(({ contact }) => contact.id)}::bigint[], ${known}::timestamptz[]) as given (id, known)
    join contacts c on c.workspace_id = ${workspaceId} and c.id = given.id ${joinUnsubscribes(workspaceId)}
    where s.at is distinct from given.known and m.workspace_id = ${workspaceId} and m.contact_id = c.id
      and m.status <> 'unsubscribed'`.execute(db)
}
