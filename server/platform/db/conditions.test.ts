import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { createLog } from '../log.ts'
import { type Database, openDatabase } from './database.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const { url, drop: dropDatabase } = await testDatabase()
  drop = dropDatabase
  database = await openDatabase({ databaseUrl: url, dataDir: '' }, createLog({ logLevel: 'fatal' }))
})
afterAll(async () => {
  await database.close()
  await drop()
})

const exists = (value: boolean) => sql<boolean>`exists (select 1 from pg_database where ${value})`

test('conditions: those asked together go in one statement, and each gets its own result', async () => {
  let statements = 0
  const count = () => statements++
  database.pool.on('acquire', count)
  const asked = [true, false, true, false, false].map((value) => database.conditions.holds(exists(value)))
  expect(await Promise.all(asked)).toEqual([true, false, true, false, false])
  expect(statements).toBe(1)
  expect(await database.conditions.holds(exists(true))).toBe(true)
  expect(statements).toBe(2)
  database.pool.off('acquire', count)
})

test('conditions: a statement that fails fails for all of it, and the next one is asked as ever', async () => {
  const wrong = sql<boolean>`exists (select 1 from nowhere)`
  const asked = [database.conditions.holds(exists(true)), database.conditions.holds(wrong)]
  const results = await Promise.allSettled(asked)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await database.conditions.holds(exists(true))).toBe(true)
})

test('conditions: a condition that is unknown does not hold', async () => {
  expect(await database.conditions.holds(sql<boolean>`null::boolean`)).toBe(false)
})
