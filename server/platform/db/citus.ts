/** Spreads the tables of workspaces over the nodes of a Citus cluster (DATABASE_BACKEND=citus). */
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { oneAtATime } from './lock.ts'

const TRIGGERS = new URL('./citus-triggers.sql', import.meta.url)

/** Few rows, read by every workspace's statements: each node has them all. */
const REFERENCE = ['workspaces', 'users', 'coupons']

/** Tables whose primary key begins with the workspace; Citus knows those in pg_dist_partition already. */
const UNSPREAD = `
  select c.relname as name from pg_class c
  join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and (a.attname = 'workspace_id' or c.relname = any($1))
    and not exists (select 1 from pg_dist_partition d where d.logicalrelid = c.oid and (d.partmethod = 'h' or d.repmodel = 't'))
  order by c.relname`

const SETTINGS = {
  // A trigger runs on a node, where it changes another table of the same workspace.
  'citus.allow_nested_distributed_execution': 'on',
  'citus.enable_unsafe_triggers': 'on',
  // Two who sign up at the same moment would each wait for the other, for locks of whole reference tables.
  'citus.all_modifications_commutative': 'on',
}

/** Statements that give every later connection to a database the settings it needs; they are not in a copy of it. */
export const listSettings = (database: string): string[] =>
  Object.entries(SETTINGS).map(
    ([setting, value]) => `alter database ${pg.escapeIdentifier(database)} set ${setting} = ${value}`,
  )

const FOREIGN_KEYS = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
  where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
    and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`

/**
 * Spreads every table that is not yet spread: those of workspaces by workspace_id, on the same node for one workspace. Foreign
 * keys are dropped and added again, because a table with an identity column is spread only without them. Returns the names of the
 * tables.
 */
export function spreadTables(pool: pg.Pool): Promise<string[]> {
  return oneAtATime(pool, async (client) => {
    const { rows } = await client.query<{ name: string }>(UNSPREAD, [REFERENCE])
    const names = rows.map(({ name }) => name)
    const database = (await client.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
    for (const statement of listSettings(database)) await client.query(statement)
    await client.query('set citus.enable_unsafe_triggers = on')
    await client.query(await readFile(TRIGGERS, 'utf8'))
    if (names.length === 0) return []
    const keys = (await client.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS, [names])).rows
    for (const { table, name } of keys)
      await client.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`)
    for (const name of names.filter((name) => REFERENCE.includes(name)))
      await client.query('select create_reference_table($1)', [name])
    for (const name of names.filter((name) => !REFERENCE.includes(name)))
      await client.query(`select create_distributed_table($1, 'workspace_id')`, [name])
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${pg.escapeIdentifier(name)} ${definition}`)
    return names
  })
}
