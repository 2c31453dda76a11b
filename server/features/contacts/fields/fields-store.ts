import { sql } from 'kysely'
import type { FieldType } from '#contracts/contacts/fields.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { FieldRule } from './values.ts'

export interface FieldRow {
  id: string
  name: string
  label: string
  type: FieldType
  choices: string[]
  defaultValue: string
  createdAt: Date
  updatedAt: Date
}

/** What of a field is written. */
export type FieldChange = Partial<Pick<FieldRow, 'label' | 'type' | 'choices' | 'defaultValue'>>

const COLUMNS = ['id', 'name', 'label', 'type', 'choices', 'defaultValue', 'createdAt', 'updatedAt'] as const
const toRow = (row: Omit<FieldRow, 'type' | 'choices'> & { type: string; choices: unknown }) => row as FieldRow

const live = (db: Db, workspaceId: string) =>
  db.selectFrom('contactFields').where('workspaceId', '=', workspaceId).where('deletedAt', 'is', null)

/** Fields in the order they were made, after an id. */
export async function fieldPage(
  db: Db,
  workspaceId: string,
  { limit, after = '0' }: { limit: number; after?: string },
): Promise<FieldRow[]> {
  const rows = await live(db, workspaceId).where('id', '>', after).select(COLUMNS).orderBy('id').limit(limit).execute()
  return rows.map(toRow)
}

export async function fieldById(db: Db, workspaceId: string, id: string): Promise<FieldRow | undefined> {
  const row = await live(db, workspaceId).where('id', '=', id).select(COLUMNS).executeTakeFirst()
  return row && toRow(row)
}

export async function countFields(db: Db, workspaceId: string): Promise<number> {
  const { n } = await live(db, workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Another change of the fields of the workspace waits until this transaction ends: so that limits hold exactly. */
export async function lockFields(db: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contact-fields:${workspaceId}`}, 0))`.execute(db)
}

/** Forgets the oldest removed fields beyond so many. */
export async function forgetRemoved(db: Db, workspaceId: string, limit: number): Promise<void> {
  await sql`delete from contact_fields where workspace_id = ${workspaceId} and id in (
    select id from contact_fields where workspace_id = ${workspaceId} and deleted_at is not null order by deleted_at desc offset ${limit})`.execute(
    db,
  )
}

/** The names of all fields, in the order of the alphabet. */
export async function fieldNames(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await live(db, workspaceId).select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** The names of all fields by what a column may be called, in lower case: a name, or else a label. */
export async function fieldTitles(db: Db, workspaceId: string): Promise<Map<string, string>> {
  const rows = await live(db, workspaceId).select(['name', 'label']).execute()
  return new Map([
    ...rows.map(({ name, label }): [string, string] => [label.toLowerCase(), name]),
    ...rows.map(({ name }): [string, string] => [name.toLowerCase(), name]),
  ])
}

/** What decides about values of these fields, by name; names that are no fields are not in it. */
export async function fieldRules(
  db: Db,
  workspaceId: string,
  names: readonly string[],
): Promise<Map<string, FieldRule>> {
  if (names.length === 0) return new Map()
  const rows = await live(db, workspaceId).where('name', 'in', names).select(COLUMNS).execute()
  return new Map(rows.map(toRow).map(({ name, type, choices }) => [name, { type, choices }]))
}

/** Those of the names that were fields, and were removed. */
export async function removedNames(db: Db, workspaceId: string, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const rows = await db
    .selectFrom('contactFields')
    .where('workspaceId', '=', workspaceId)
    .where('deletedAt', 'is not', null)
    .where('name', 'in', names)
    .select('name')
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** Inserts a field, or takes up a removed one of this name. undefined: there is one. */
export async function insertField(
  db: Db,
  workspaceId: string,
  { name, label, type, choices, defaultValue }: Omit<FieldRow, 'id' | 'createdAt' | 'updatedAt'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into contact_fields as f (workspace_id, name, label, type, choices, default_value)
    values (${workspaceId}, ${name}, ${label}, ${type}, ${JSON.stringify(choices)}::jsonb, ${defaultValue})
    on conflict (workspace_id, name) do update set label = excluded.label, type = excluded.type, choices = excluded.choices,
      default_value = excluded.default_value, created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = null
    where f.deleted_at is not null returning id`.execute(db)
  return rows[0]?.id
}

/** Makes text fields of names that are none yet, at most `room`. */
export async function insertTextFields(
  db: Db,
  workspaceId: string,
  names: readonly string[],
  room: number,
): Promise<void> {
  // In the order of their keys: two that do this at once then wait for each other and never forever.
  await sql`insert into contact_fields as f (workspace_id, name, label)
    select ${workspaceId}::bigint, name, name from unnest(${names}::text[]) given (name) order by name limit ${room}
    on conflict (workspace_id, name) do update set label = excluded.label, type = 'text', choices = '[]', default_value = '',
      created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = null
    where f.deleted_at is not null`.execute(db)
}

export async function updateField(
  db: Db,
  workspaceId: string,
  id: string,
  { choices, ...change }: FieldChange,
): Promise<void> {
  await db
    .updateTable('contactFields')
    .set({ ...change, ...(choices && { choices: JSON.stringify(choices) }), updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .execute()
}

/** Marks a field as removed; returns whether there was one. */
export async function markRemoved(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contactFields')
    .set({ deletedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Contacts a transaction: others hardly wait. */
const SLICE = 5_000

/**
 * Takes the value of a removed field from the next contacts after an id. Returns the last of them; undefined: there are no
 * more, or the name is a field again.
 */
export async function clearValues(db: Db, workspaceId: string, id: string, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ last: string | null }>`
    with field as (
      select name from contact_fields where workspace_id = ${workspaceId} and id = ${id} and deleted_at is not null
    ), slice as materialized (
      select id from contacts where workspace_id = ${workspaceId} and id > ${after} and exists (select 1 from field) order by id limit ${SLICE}
    ), cleared as (
      update contacts c set attributes = attributes - field.name, updated_at = now() from field
      where c.workspace_id = ${workspaceId} and c.id = any(array(select id from slice)) and c.attributes ? field.name
    )
    select max(id) as last from slice`.execute(db)
  return rows[0]?.last ?? undefined
}
