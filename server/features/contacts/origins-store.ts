import { sql } from 'kysely'
import type { LawfulBasis } from '#contracts/collector/collector.ts'
import type { Db } from '#server/platform/db/database.ts'
import { emailKeys } from './suppressions/email-keys.ts'

/** A contact as it was found on a page, with where. `key` is what it is known by: the address key, or the number. */
export interface FoundContact {
  key: string
  email: string | null
  phone: string | null
  name: string
  attributes: Record<string, string>
  sourceUrl: string
  foundAt: Date
  evidence: string
}

/** What is said about all of them: the list, the job, who says it, and why they may be written to. */
export interface Addition {
  listId: string
  jobId: string
  addedBy: string
  basis: LawfulBasis | null
  basisNote: string
}

/**
 * Makes contacts of what was found, or finds those there are (blank fields are filled, nothing is changed), puts them on
 * the list, and notes where they come from, each note once. No two may share a key. Returns how many were not on the list.
 */
export async function insertFound(
  db: Db,
  workspaceId: string,
  kind: 'email' | 'phone',
  rows: FoundContact[],
  add: Addition,
): Promise<number> {
  if (rows.length === 0) return 0
  // In one order, so that two at once wait for each other and never for ever.
  rows.sort((a, b) => (a.key < b.key ? -1 : 1))
  const column = (key: keyof FoundContact) => rows.map((row) => row[key])
  const target = kind === 'email' ? sql`(workspace_id, email_key)` : sql`(workspace_id, phone) where email_key is null`
  const keyColumn = kind === 'email' ? sql`c.email_key` : sql`c.phone`
  const { rows: done } = await sql<{ id: string; key: string }>`
    insert into contacts as c (workspace_id, email, email_key, phone, name, attributes, source)
    select ${workspaceId}::bigint, email, case when email is null then null else key end, phone, name, attributes, 'collected'
    from unnest(${column('key')}::text[], ${column('email')}::text[], ${column('phone')}::text[], ${column('name')}::text[],
      ${rows.map((row) => JSON.stringify(row.attributes))}::jsonb[]) as given (key, email, phone, name, attributes)
    on conflict ${target} do update set
      name = case when c.name = '' then excluded.name else c.name end,
      attributes = excluded.attributes || c.attributes,
      updated_at = case when c.name = '' and excluded.name <> '' or not c.attributes @> (excluded.attributes || c.attributes)
        then excluded.updated_at else c.updated_at end
    returning c.id, ${keyColumn} as key`.execute(db)
  const { rows: joined } = await sql`
    insert into list_members (workspace_id, list_id, contact_id, status)
    select l.workspace_id, l.id, done.id, case when l.optin = 'double' then 'pending' else 'confirmed' end
    from lists l cross join unnest(${done.map(({ id }) => id)}::bigint[]) as done (id)
    where l.workspace_id = ${workspaceId} and l.id = ${add.listId}
    on conflict do nothing returning contact_id`.execute(db)
  // Read first: these contacts are this transaction's, so that nobody notes their origins beside it.
  const { rows: noted } = await sql<{ contactId: string }>`
    select distinct contact_id from contact_origins
    where workspace_id = ${workspaceId} and contact_id = any(${done.map(({ id }) => id)}::bigint[]) and job_id = ${add.jobId}
      and basis is not distinct from ${add.basis} and basis_note = ${add.basisNote}`.execute(db)
  const known = new Set(noted.map(({ contactId }) => contactId))
  const ids = new Map(done.flatMap(({ id, key }) => (known.has(id) ? [] : [[key, id] as const])))
  await sql`
    insert into contact_origins (workspace_id, contact_id, source_url, found_at, job_id, evidence, basis, basis_note, added_by)
    select ${workspaceId}::bigint, given.id, given.source_url, given.found_at, ${add.jobId}::bigint, given.evidence, ${add.basis}::text, ${add.basisNote}::text, ${add.addedBy}::bigint
    from unnest(${rows.map(({ key }) => ids.get(key) ?? null)}::bigint[], ${column('sourceUrl')}::text[], ${column('foundAt')}::timestamptz[],
      ${column('evidence')}::text[]) as given (id, source_url, found_at, evidence)
    where given.id is not null`.execute(db)
  return joined.length
}

/** Which of these addresses or numbers nobody may write to. */
export async function suppressedKeys(
  db: Db,
  workspaceId: string,
  kind: 'email' | 'phone',
  keys: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select given.key from unnest(${keys}::text[]) as given (key)
    cross join lateral (select 1 from suppressions where workspace_id = ${workspaceId} and channel = ${kind === 'email' ? 'email' : 'whatsapp'}
      and address_key in (${kind === 'email' ? emailKeys(sql.ref('given.key')) : sql`given.key`}) limit 1) held`.execute(
    db,
  )
  return new Set(rows.map((row) => row.key))
}

/** Which of these addresses or numbers are contacts already. */
export async function knownKeys(
  db: Db,
  workspaceId: string,
  kind: 'email' | 'phone',
  keys: string[],
): Promise<Set<string>> {
  const same = kind === 'email' ? sql`email_key = given.key` : sql`email_key is null and phone = given.key`
  const { rows } = await sql<{ key: string }>`
    select given.key from unnest(${keys}::text[]) as given (key)
    cross join lateral (select 1 from contacts where workspace_id = ${workspaceId} and ${same} limit 1) known`.execute(
    db,
  )
  return new Set(rows.map((row) => row.key))
}

/** Whether anybody in a workspace was collected: without, nothing about origins needs to be asked. */
export async function hasOrigins(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('contactOrigins')
    .where('workspaceId', '=', workspaceId)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Where a contact comes from, the first note first. */
export function listOrigins(db: Db, workspaceId: string, contactId: string) {
  return db
    .selectFrom('contactOrigins')
    .where('workspaceId', '=', workspaceId)
    .where('contactId', '=', contactId)
    .select(['sourceUrl', 'foundAt', 'evidence', 'jobId', 'basis', 'basisNote', 'at'])
    .orderBy('id')
    .limit(100)
    .execute()
}

/** A collected person who confirmed by email that they want a list has said themselves why they may be written to. */
export async function noteConsent(db: Db, workspaceId: string, contactId: string, list: string): Promise<void> {
  await sql`insert into contact_origins (workspace_id, contact_id, source_url, found_at, job_id, evidence, basis, basis_note)
    select workspace_id, contact_id, source_url, found_at, job_id, evidence, 'consent', ${`Confirmed the list “${list}” by email`}
    from contact_origins where workspace_id = ${workspaceId} and contact_id = ${contactId} order by id limit 1`.execute(
    db,
  )
}

/** Removes the notes with the contacts they are about. */
export async function deleteOrigins(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await db
    .deleteFrom('contactOrigins')
    .where('workspaceId', '=', workspaceId)
    .where('contactId', 'in', contactIds)
    .execute()
}
