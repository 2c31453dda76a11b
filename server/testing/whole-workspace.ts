/** For tests of what belongs to a workspace: a row in every table there is, found in the database's own catalog. */
import { sql } from 'kysely'
import type { Services } from '#server/services.ts'
import type { Person } from './app.ts'

type Db = Services['db']

/** The tables that have a column of this name, by the catalog. */
export async function tablesWith(db: Db, column: 'workspace_id' | 'user_id'): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema = 'public' and c.column_name = ${column} order by 1`.execute(
    db,
  )
  return rows.map((row) => row.name)
}

/** How many rows of a table carry this value. */
export async function countRows(db: Db, table: string, column: string, value: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
    where ${sql.ref(column)} = ${value}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Every table, of every schema, in which some row holds this text anywhere. */
export async function tablesHolding(db: Db, text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db)
  const holding: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(`${schema}.${name}`)} as t
      where t::text ilike ${`%${text}%`} limit 1`.execute(db)
    if (rows.length > 0) holding.push(`${schema}.${name}`)
  }
  return holding
}

interface Column {
  name: string
  type: string
  refersTo: string | null
  allowed: string | null
}

/** Columns that need a value, with the table they refer to and the check they stand under. */
async function neededColumns(db: Db, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.column_name as name, c.data_type as type,
      (select f.confrelid::regclass::text from pg_constraint f where f.contype = 'f' and f.conrelid = k.attrelid
        -- The last column: a key begins with the workspace.
        and f.conkey[cardinality(f.conkey)] = k.attnum) as refers_to,
      (select pg_get_constraintdef(f.oid) from pg_constraint f where f.contype = 'c' and f.conrelid = k.attrelid and f.conkey = array[k.attnum] limit 1) as allowed
    from information_schema.columns c
    join pg_attribute k on k.attrelid = (quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass and k.attname = c.column_name
    where c.table_schema = 'public' and c.table_name = ${table} and c.is_nullable = 'NO' and c.column_default is null and c.is_identity = 'NO'`.execute(
    db,
  )
  return rows
}

/** Columns of a table that need no value each, but one of them. */
const ONE_OF: Record<string, Column> = {
  contact_jobs: { name: 'filter', type: 'jsonb', refersTo: null, allowed: null },
}

const plainValues: Record<string, string> = {
  jsonb: '{}',
  boolean: 'true',
  ARRAY: '{}',
  uuid: crypto.randomUUID(),
}

async function createSample(db: Db, column: Column, person: Person): Promise<string> {
  if (column.name === 'workspace_id') return person.workspaceId
  if (column.name === 'user_id') return person.id
  if (column.refersTo) return fillTable(db, column.refersTo, person)
  if (column.type.startsWith('timestamp')) return new Date().toISOString()
  // Texts, bytes and ids may have to be nobody else's.
  const own: Record<string, string> = {
    text: `of ${person.id}`,
    bigint: person.id,
    bytea: `\\x${Buffer.from(person.id).toString('hex')}`,
  }
  const plain = own[column.type] ?? plainValues[column.type]
  return /'([^']+)'/.exec(column.allowed ?? '')?.[1] ?? plain ?? '1'
}

/** Makes sure that the person has a row in the table. Returns its id, or nothing where rows have none. */
async function fillTable(db: Db, table: string, person: Person): Promise<string> {
  const owner = (await tablesWith(db, 'workspace_id')).includes(table)
    ? { column: 'workspace_id', id: person.workspaceId }
    : { column: 'user_id', id: person.id }
  const find = () =>
    sql<{ row: { id?: number } }>`select to_jsonb(t) as row from ${sql.table(table)} t
      where ${sql.ref(owner.column)} = ${owner.id} limit 1`.execute(db)
  let [found] = (await find()).rows
  if (!found) {
    const columns = await neededColumns(db, table)
    const further = ONE_OF[table]
    if (further) columns.push(further)
    if (!columns.some(({ name }) => name === owner.column))
      columns.push({ name: owner.column, type: 'bigint', refersTo: null, allowed: null })
    const values: string[] = []
    for (const column of columns) values.push(await createSample(db, column, person))
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
      values (${sql.join(values)})`.execute(db)
    ;[found] = (await find()).rows
  }
  return String(found?.row.id ?? '')
}

/**
 * Gives the person a row in each table of workspaces or users where they have none, so that no table is looked at while it is
 * empty. Not a claim: that is work of a sending thread, whose end a removal waits for.
 */
export async function fillEveryTable(db: Db, person: Person): Promise<void> {
  for (const column of ['workspace_id', 'user_id'] as const)
    for (const table of await tablesWith(db, column)) if (table !== 'claims') await fillTable(db, table, person)
}
