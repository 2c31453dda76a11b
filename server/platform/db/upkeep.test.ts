import { expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { checkpoint, upkeep } from './upkeep.ts'

test('rows changed over and over leave neither dead copies nor old statistics behind', async () => {
  await using t = await testApp()
  const { pool } = t.services
  await pool.query('create table worn (id integer primary key, n integer not null)')
  await pool.query('insert into worn select g, 0 from generate_series(1, 5000) g')
  for (let i = 0; i < 4; i++) await pool.query('update worn set n = n + 1')
  await pool.query('select pg_stat_force_next_flush()')

  expect(await upkeep(pool)).toContain('public.worn')

  const { rows } = await pool.query(
    "select n_dead_tup::int as dead, n_mod_since_analyze::int as changed from pg_stat_user_tables where relname = 'worn'",
  )
  expect(rows).toEqual([{ dead: 0, changed: 0 }])
  expect(await upkeep(pool)).not.toContain('public.worn')
})

test('the log of what was written is cut short once it has grown', async () => {
  await using t = await testApp()
  const { pool } = t.services
  await checkpoint(pool, 0)
  expect(await checkpoint(pool, 1_000_000)).toBe(false)
  await pool.query("create table written as select repeat('x', 1000) as text from generate_series(1, 5000)")
  expect(await checkpoint(pool, 1_000_000)).toBe(true)
  expect(await checkpoint(pool, 1_000_000)).toBe(false)
})
