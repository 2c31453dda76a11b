import { sql } from 'kysely'
import { type CopyIn, toCopyField } from '#server/platform/db/copy-in.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { BadRow, Ready } from './imports-store.ts'

/** Stores the rows that could not be imported; a row that is stored already stays as it is. */
export async function insertBadRows(db: Db, workspaceId: string, importId: string, bad: BadRow[]): Promise<void> {
  if (bad.length === 0) return
  await sql`insert into import_errors (workspace_id, import_id, row, reason, line)
    select ${workspaceId}::bigint, ${importId}::bigint, * from unnest(${bad.map((row) => row.row)}::bigint[], ${bad.map((row) => row.reason)}::text[], ${bad.map((row) => row.line)}::text[])
    on conflict do nothing`.execute(db)
}

/** Which of these rows belong to contacts that exist already, each with the import that last had it. */
export async function knownRows(db: Db, workspaceId: string, rows: Ready[]): Promise<Map<Ready, string | null>> {
  const known = new Map<Ready, string | null>()
  for (const byEmail of [true, false]) {
    const part = rows.filter((row) => (row.key !== null) === byEmail)
    if (part.length === 0) continue
    const keys = part.map((row) => row.key ?? row.phone)
    const same = byEmail ? sql`email_key = given.key` : sql`email_key is null and phone = given.key`
    // One look into the index a row: of `= any` the planner thinks, before it has statistics, that the whole table is meant.
    const found = await sql<{ at: number; importId: string | null }>`
      select given.at::int - 1 as at, known.import_id from unnest(${keys}::text[]) with ordinality as given (key, at)
      cross join lateral (select import_id from contacts where workspace_id = ${workspaceId} and ${same} limit 1) known`.execute(
      db,
    )
    for (const { at, importId } of found.rows) known.set(part[at] as Ready, importId)
  }
  return known
}

/** The import whose rows are written, and the list they go to. */
interface Target {
  workspaceId: string
  id: string
  listId: string | null
  /** They agreed to the list before: a double opt-in list does not ask them. */
  haveAgreed: boolean
}

/** In the order of their keys two imports at once wait for each other and never for ever. Sorts in place. */
export const inKeyOrder = (rows: Ready[]) =>
  rows.sort((a, b) => compare(a.key ?? a.phone ?? '', b.key ?? b.phone ?? ''))

/** The rows as columns. */
function toColumns(rows: Ready[]) {
  inKeyOrder(rows)
  return sql`unnest(${rows.map((row) => row.email)}::text[], ${rows.map((row) => row.key)}::text[], ${rows.map((row) => row.phone)}::text[],
    ${rows.map((row) => row.name)}::text[], ${rows.map((row) => row.attributes)}::jsonb[]) as given (email, key, phone, name, attributes)`
}

/** Puts those whom `done` gives the ids of on the list. */
const members = ({ workspaceId, id, listId, haveAgreed }: Target) => sql`
  insert into list_members (workspace_id, list_id, contact_id, status, import_id)
  select l.workspace_id, l.id, done.id, case when l.optin = 'double' and not ${haveAgreed}::boolean then 'pending' else 'confirmed' end,
    ${haveAgreed ? id : null}::bigint
  from done join lists l on l.workspace_id = ${workspaceId} and l.id = ${listId}`

const NEW_CONTACTS =
  'copy contacts (id, workspace_id, email, email_key, phone, name, attributes, source, import_id) from stdin'
const NEW_MEMBERS = 'copy list_members (workspace_id, list_id, contact_id, status, import_id) from stdin'

/**
 * Adds contacts that are not there yet and puts them on the list; one that is there breaks the unique index. Their ids are
 * taken beforehand, so that both tables are loaded by COPY.
 */
export async function insertRows(db: Db, copyIn: CopyIn, target: Target, rows: Ready[]): Promise<void> {
  if (rows.length === 0) return
  const { workspaceId, id, listId, haveAgreed } = target
  const { rows: found } = await sql<{ ids: string; optin: 'single' | 'double' | null }>`
    select (select string_agg(nextval(sequence)::text, ',')
        from (select (select pg_get_serial_sequence('contacts', 'id')::regclass) as sequence) found, generate_series(1, ${rows.length}::int)) as ids,
      (select optin from lists where workspace_id = ${workspaceId} and id = ${listId}) as optin`.execute(db)
  const ids = found[0]?.ids.split(',') ?? []
  const optin = found[0]?.optin
  const status = optin === 'double' && !haveAgreed ? 'pending' : 'confirmed'
  inKeyOrder(rows)
  function* toContacts() {
    let at = 0
    for (const { email, key, phone, name, attributes } of rows) {
      const address = toCopyField(email)
      const same = key === email ? address : toCopyField(key)
      yield `${ids[at++]}\t${workspaceId}\t${address}\t${same}\t${toCopyField(phone)}\t${toCopyField(name)}\t${toCopyField(attributes)}\timport\t${id}\n`
    }
  }
  function* toMembers() {
    const before = `${workspaceId}\t${listId}\t`
    const after = `\t${status}\t${toCopyField(haveAgreed ? id : null)}\n`
    for (const contactId of ids) yield before + contactId + after
  }
  await copyIn(NEW_CONTACTS, toContacts())
  if (optin) await copyIn(NEW_MEMBERS, toMembers())
}

/** Whether the number of a row is the one that an earlier import could not read and stored as text. */
const isReadNow = sql<boolean>`(excluded.phone is not null and contacts.attributes ? 'phone'
  and excluded.phone like '%_' || nullif(ltrim(regexp_replace(contacts.attributes ->> 'phone', '[^0-9]', '', 'g'), '0'), ''))`

/**
 * Adds or changes contacts and puts them on the list; returns how many are new. No two rows may share a key. Blank cells
 * leave what is there.
 */
export async function upsertRows(db: Db, given: Target, rows: Ready[]): Promise<number> {
  const { workspaceId, id, haveAgreed } = given
  const known = haveAgreed
    ? sql`on conflict (workspace_id, list_id, contact_id) do update set status = 'confirmed', at = excluded.at, import_id = excluded.import_id
        where list_members.status = 'pending'`
    : sql`on conflict do nothing`
  let added = 0
  for (const byEmail of [true, false]) {
    const part = rows.filter((row) => (row.key !== null) === byEmail)
    if (part.length === 0) continue
    const target = byEmail ? sql`(workspace_id, email_key)` : sql`(workspace_id, phone) where email_key is null`
    const { rows: counted } = await sql<{ added: string }>`
      with done as (
        insert into contacts (workspace_id, email, email_key, phone, name, attributes, source, import_id)
        select ${workspaceId}, email, key, phone, name, attributes, 'import', ${id}::bigint
        from ${toColumns(part)}
        on conflict ${target} do update set
          phone = coalesce(excluded.phone, contacts.phone),
          name = case when excluded.name = '' then contacts.name else excluded.name end,
          attributes = case when ${isReadNow} then contacts.attributes - 'phone' else contacts.attributes end || excluded.attributes,
          import_id = excluded.import_id,
          updated_at = excluded.updated_at
        returning id, xmax = 0 as added
      ), members as (
        ${members(given)} ${known}
      ) select count(*) filter (where added) as added from done`.execute(db)
    added += Number(counted[0]?.added ?? 0)
  }
  return added
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Lets the planner know about what was just added now, and not when autovacuum gets round to it. */
export async function refreshStatistics(db: Db): Promise<void> {
  await sql`analyze contacts, list_members`.execute(db)
}
