import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OWNERS } from '../../migrations/owners.ts'
import { findProblems, findWrites, triggerProblems } from './table-writes.ts'

const findTables = (source: string) => findWrites(source).map(({ table }) => table)

test('table writes: writes by Kysely and by SQL are found, reads and comments are not', () => {
  expect(findTables("await db.updateTable('gmailAccounts').set({})")).toEqual(['gmail_accounts'])
  expect(findTables('sql`insert into events (id) select id from messages m for update`')).toEqual(['events'])
  expect(findTables('sql`with gone as (delete from messages where id = 1) select 1`')).toEqual(['messages'])
  expect(findTables('sql`update sender_shares s set expires_at = now()`')).toEqual(['sender_shares'])
  expect(findTables('sql`update campaigns\n  set state = 1 on conflict do update set state = 2`')).toEqual([
    'campaigns',
  ])
  const opening = '$' + '{'
  expect(findTables(`sql\`delete from ${opening}sql.table(name)}\``)).toEqual([undefined])
  expect(
    findTables('/** Once in update contacts are stored. */ sql`select 1 from contacts for update skip locked`'),
  ).toEqual([])
})

test('table writes: every verb is found, in any case, with several tables and a schema', () => {
  expect(findTables('sql`merge into contacts c using given g on g.id = c.id`')).toEqual(['contacts'])
  expect(findTables('sql`MERGE INTO Contacts AS c USING given g`')).toEqual(['contacts'])
  expect(findTables("client.query('copy messages (id, state) from stdin')")).toEqual(['messages'])
  expect(findTables("client.query('COPY public.events FROM STDIN')")).toEqual(['events'])
  expect(findTables("'INSERT INTO lists (id) values (1)', 'UPDATE ONLY lists AS l SET name = 1'")).toEqual([
    'lists',
    'lists',
  ])
  expect(findTables("client.query('truncate table lists, contacts cascade')")).toEqual(['lists', 'contacts'])
  expect(findTables("client.query('truncate claims')")).toEqual(['claims'])
  expect(findTables("client.query('delete from pgboss.job')")).toEqual(['pgboss.job'])
  expect(findTables("'Copy it from the page and update your settings', 'truncate truncatewords strip_html'")).toEqual(
    [],
  )
  expect(findTables('// insert into lists, and not delete from contacts\n/* update lists set name */')).toEqual([])
})

test('table writes: a write to a table of another feature or without an owner is reported', () => {
  expect(findProblems('server/features/billing/store.ts', "db.insertInto('coupons')")).toEqual([])
  expect(findProblems('server/features/billing/other.ts', "\ndb.insertInto('messages')")).toEqual([
    'server/features/billing/other.ts:2 (billing) writes messages of campaigns: call a function of campaigns instead',
  ])
  expect(findProblems('server/features/billing/other.ts', "db.insertInto('unheardOf')")).toEqual([
    'server/features/billing/other.ts:1 writes unheard_of, which has no owner in migrations/owners.ts',
  ])
  expect(findProblems('server/features/billing/other.ts', 'sql`update unheard_of set id = 1`')).toEqual([
    'server/features/billing/other.ts:1 writes unheard_of, which has no owner in migrations/owners.ts',
  ])
  expect(findProblems('server/platform/queue.ts', 'sql`delete from pgboss.job`')).toEqual([])
  expect(findProblems('scripts/other.ts', "db.deleteFrom('sessions')")).toEqual([
    'scripts/other.ts:1 (scripts) writes sessions of accounts: call a function of accounts instead',
  ])
})

const trigger = (on: string, body: string) => `
  create function do_it() returns trigger language plpgsql as $$ begin ${body} return new; end $$;
  create trigger done before update of state on ${on} for each row when (new.id > 0) execute function do_it();`

test('table writes: a trigger may write tables of the feature it belongs to only, unless it is listed', () => {
  const settles = trigger('campaigns', "execute format('update usage_months set %1$I = 0', new.reserved_of);")
  expect(triggerProblems(trigger('messages', 'delete from campaign_counts;'), {})).toEqual([])
  expect(triggerProblems(settles, {})).toEqual([
    'trigger done on campaigns of campaigns writes usage_months of billing: call a function of billing, or list it in TRIGGERS in migrations/owners.ts',
  ])
  const listed = { done: { tables: ['usage_months'], reason: '' } }
  expect(triggerProblems(settles, listed)).toEqual([])
  expect(triggerProblems(trigger('campaigns', ''), listed)).toEqual([
    'trigger done does not write usage_months: take it off TRIGGERS in migrations/owners.ts',
  ])
})

test('table writes: a function of the database that writes belongs to a trigger', () => {
  expect(triggerProblems(trigger('messages', 'delete from claims;').replace(/create trigger.*/, ''), {})).toEqual([
    'function do_it writes tables, but no trigger calls it',
  ])
})

test('owners of tables: each table has one owner, in whose migration it is created', () => {
  const created = globSync('migrations/*.sql').flatMap((file) => {
    const owner = /\d{4}_(\w+)\.sql$/.exec(file)?.[1]
    const tables = readFileSync(file, 'utf8').matchAll(/^create table (?:if not exists )?(\w+)/gim)
    return [...tables].map(([, table]) => `${table} of ${owner}`)
  })
  const owned = Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => `${table} of ${owner}`))
  // server/platform/db/migrate.ts creates it before the first migration.
  expect(owned.sort()).toEqual([...created, 'schema_migrations of platform'].sort())
})

test('statements: exists asks for select 1, because spread tables refuse a select of nothing there', () => {
  const sources = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  expect(sources.filter((file) => /\bexists\s*\(\s*select\s+from\b/.test(readFileSync(file, 'utf8')))).toEqual([])
})
