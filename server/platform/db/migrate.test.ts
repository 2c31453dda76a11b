import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#server/testing/database.ts'
import { openPool } from './database.ts'
import { MigrationError, migrate } from './migrate.ts'

const opened: { database: TestDatabase; pool: pg.Pool }[] = []
afterAll(async () => {
  for (const { database, pool } of opened) {
    await pool.end()
    await database.drop()
  }
})

/** A pool as the product has: its connections may be ended by the database while they end. */
async function openDatabase(options?: { isEmpty: boolean }): Promise<pg.Pool> {
  const database = await testDatabase(options)
  const pool = openPool({ connectionString: database.url }, 1, () => undefined)
  opened.push({ database, pool })
  return pool
}

const listTables = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query("select tablename from pg_tables where schemaname = 'public' order by 1")
  return rows.map((row) => row.tablename)
}

test('migrate: a database of a version before the first release is refused and not changed', async () => {
  const pool = await openDatabase({ isEmpty: true })
  await pool.query('create table schema_migrations (name text primary key, applied_at timestamptz default now())')
  await pool.query("insert into schema_migrations (name) values ('0001_foundation.sql'), ('0005_admin.sql')")
  await expect(migrate(pool)).rejects.toThrow(MigrationError)
  await expect(migrate(pool)).rejects.toThrow(/^[^\n]*before the first release[^\n]*$/)
  expect(await listTables(pool)).toEqual(['schema_migrations'])
})

test('migrate: a server that only speaks the protocol of PostgreSQL is refused, and nothing is made', async () => {
  const pool = await openDatabase({ isEmpty: true })
  await pool.query(
    "create schema other; create function other.version() returns text return 'CockroachDB CCL v26.2.0 (go1.25)'",
  )
  await pool.query('set search_path = other, pg_catalog, public')
  await expect(migrate(pool)).rejects.toThrow(
    /^Postlark does not run on CockroachDB.*docs\/databases\.md.* Use PostgreSQL 15/,
  )
  expect(await listTables(pool)).toEqual([])
})

test('migrate: every file is applied to an empty database once', async () => {
  const pool = await openDatabase({ isEmpty: true })
  expect(await migrate(pool)).toContain('0001_platform.sql')
  expect(await migrate(pool)).toEqual([])
})

test('migrate: every table has a comment', async () => {
  const pool = await openDatabase()
  const { rows } = await pool.query(`
    select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'schema_migrations' and obj_description(oid, 'pg_class') is null`)
  expect(rows).toEqual([])
})

test('migrate: no index holds what settling a message writes, so that it writes none', async () => {
  const pool = await openDatabase()
  // What indexes hold, their conditions included. `due_at` is written too, but as it was unless the message is tried again.
  const { rows } = await pool.query(
    `select distinct a.attname as name from pg_index i join pg_depend d on d.objid = i.indexrelid and d.refobjid = i.indrelid
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
     where i.indrelid = 'messages'::regclass
     union
     select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) where i.indrelid = 'messages'::regclass
     order by name`,
  )
  expect(rows.map(({ name }) => name)).toEqual(['campaign_id', 'contact_id', 'due_at', 'id', 'trouble', 'workspace_id'])
})

// Log in finds a user, and the audit log a deed, before or without a workspace: both stay whole on every node.
const GLOBAL = ['audit_log', 'users']

test('migrate: keys of tables with workspace_id begin with it, so that Citus can distribute them', async () => {
  const pool = await openDatabase()
  const { rows } = await pool.query(
    `select c.conrelid::regclass::text || ': ' || pg_get_constraintdef(c.oid) as key
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attname = 'workspace_id' and not a.attisdropped
     left join pg_attribute target on target.attrelid = c.confrelid and target.attname = 'workspace_id' and not target.attisdropped
     where c.contype in ('p', 'u', 'f') and c.conkey[1] <> a.attnum and not c.conrelid::regclass::text = any($1)
       -- A foreign key to a table without a workspace has none to begin with.
       and (c.contype <> 'f' or target.attnum is not null and not c.confrelid::regclass::text = any($1))
     union all
     select i.indexrelid::regclass::text from pg_index i
     join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'workspace_id' and not a.attisdropped
     where i.indisunique and i.indkey[0] <> a.attnum and not i.indrelid::regclass::text = any($1)
     union all
     -- Citus refuses the actions 'set null' and 'set default' in a foreign key that contains the workspace.
     select c.conrelid::regclass::text || ': ' || pg_get_constraintdef(c.oid) from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attname = 'workspace_id' and not a.attisdropped
     where c.contype = 'f' and a.attnum = any(c.conkey) and c.confdeltype in ('n', 'd')`,
    [GLOBAL],
  )
  expect(rows).toEqual([])
})
