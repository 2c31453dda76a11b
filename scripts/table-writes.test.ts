import { expect, test } from 'vitest'
import { findWrites, problemsOf } from './table-writes.ts'

const tablesOf = (source: string) => findWrites(source).map(({ table }) => table)

test('table writes: writes by Kysely and by SQL are found, reads and comments are not', () => {
  expect(tablesOf("await db.updateTable('gmailAccounts').set({})")).toEqual(['gmail_accounts'])
  expect(tablesOf('sql`insert into events (id) select id from messages m for update`')).toEqual(['events'])
  expect(tablesOf('sql`with gone as (delete from messages where id = 1) select 1`')).toEqual(['messages'])
  expect(tablesOf('sql`update sender_shares s set expires_at = now()`')).toEqual(['sender_shares'])
  expect(tablesOf('sql`update campaigns\n  set state = 1 on conflict do update set state = 2`')).toEqual(['campaigns'])
  const opening = '$' + '{'
  expect(tablesOf(`sql\`delete from ${opening}sql.table(name)}\``)).toEqual([undefined])
  expect(
    tablesOf('/** Once in update contacts are stored. */ sql`select 1 from contacts for update skip locked`'),
  ).toEqual([])
})

test('table writes: a write to a table of another feature or without an owner is reported', () => {
  expect(problemsOf('server/features/billing/store.ts', "db.insertInto('coupons')")).toEqual([])
  expect(problemsOf('server/features/billing/other.ts', "\ndb.insertInto('messages')")).toEqual([
    'server/features/billing/other.ts:2 (billing) writes messages of campaigns: call a function of campaigns instead',
  ])
  expect(problemsOf('server/features/billing/other.ts', "db.insertInto('unheardOf')")).toEqual([
    'server/features/billing/other.ts:1 writes unheard_of, which has no owner in migrations/owners.ts',
  ])
})
