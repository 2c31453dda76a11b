import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { clientOptions, openPool } from '#server/platform/db/database.ts'
import { testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { type TestDatabase, testDatabase } from '#server/testing/database.ts'
import { fillEveryTable } from '#server/testing/whole-workspace.ts'
import {
  checkRestored,
  clearUnused,
  finishRestore,
  openBackup,
  readHeader,
  restoreBackup,
  writeBackup,
} from './index.ts'
import { listTables } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'postlark-backup-'))
const file = join(folder, 'all.backup')
const t = await testApp()
const ada = await t.person()
const { id } = await draftTo(ada, await listWith(t.services, ada, 3))
await ada.api(campaigns.send, { params: { id }, body: {} })
await untilState(ada, id, ['sent'])
await fillEveryTable(t.services.db, ada)
// What the file's own marks look like, in a value.
const HARD = '\\.\n\\.\n\t\\N \u2028 "ü" \u{1f426}\n{"end":{}}'
await ada.api(contacts.create, { body: { email: 'hard@example.com', attributes: { note: HARD } } })

const targets: { database: TestDatabase; pool: pg.Pool }[] = []
afterAll(async () => {
  for (const { database, pool } of targets) {
    await pool.end()
    await database.drop()
  }
  await t[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function newTarget(): Promise<pg.Pool> {
  const database = await testDatabase({ isEmpty: true })
  const pool = openPool({ connectionString: database.url }, 4, () => undefined)
  targets.push({ database, pool })
  return pool
}

/** Makes a backup; returns what every table has at the moment it is of. */
async function makeBackup() {
  const client = new pg.Client(clientOptions(t.services.connection))
  await client.connect()
  let all: Awaited<ReturnType<typeof readAll>> = {}
  await writeBackup(client, file, { postlark: '1.0.0' }, async (client) => {
    all = await readAll(client)
    return null
  })
  await client.end()
  return all
}

async function restoreInto(pool: pg.Pool, from = file) {
  const reader = openBackup(from)
  const client = await pool.connect()
  await clearUnused(client).finally(() => client.release(true))
  try {
    return await restoreBackup(pool, reader, await readHeader(reader))
  } finally {
    await reader.close()
  }
}

/** What every table has, by its name. */
async function readAll(client: pg.ClientBase): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const { name } of await listTables(client)) {
    const where = name === 'settings' ? "where key <> 'restore'" : ''
    const { rows } = await client.query(`select t::text as row from ${name} t ${where} order by 1`)
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

async function readTarget(pool: pg.Pool) {
  const client = await pool.connect()
  return readAll(client).finally(() => client.release())
}

test('backup: every row of every table is restored, and new rows get numbers of their own', async () => {
  const before = await makeBackup()
  const pool = await newTarget()
  const summary = await restoreInto(pool)
  expect(await readTarget(pool)).toEqual(before)
  expect(summary.rows).toBe(Object.values(before).flat().length)
  // Until all is restored, no server starts on it; a second try may.
  await expect(checkRestored(pool)).rejects.toThrow(/interrupted/)
  await restoreInto(pool)
  await finishRestore(pool)
  await checkRestored(pool)
  const { rows } = await pool.query(
    `insert into contacts (workspace_id, email, email_key) select workspace_id, 'x@y.de', 'x@y.de' from contacts limit 1
      returning id > (select max(id) from contacts) as is_new`,
  )
  expect(rows[0].is_new).toBe(true)
  // What is used is never overwritten.
  await expect(restoreInto(pool)).rejects.toThrow(/has data already/)
  expect((await readTarget(pool)).contacts).toHaveLength((before.contacts?.length ?? 0) + 1)
})

test('backup: two at once to one name leave a whole file, and nothing else', async () => {
  await Promise.all([makeBackup(), makeBackup()])
  expect(readdirSync(folder)).toEqual([basename(file)])
  const { rows } = await restoreInto(await newTarget())
  expect(rows).toBeGreaterThan(0)
})

test('backup: of a damaged file, or one of a newer version, no row is restored', async () => {
  await makeBackup()
  const bytes = readFileSync(file)
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 0xff, flipped.length >> 1)
  const damaged = {
    flipped,
    short: bytes.subarray(0, bytes.length - 100),
    other: Buffer.from('no backup'),
    empty: Buffer.of(),
  }
  const pool = await newTarget()
  for (const [name, content] of Object.entries(damaged)) {
    const bad = join(folder, name)
    writeFileSync(bad, content)
    await expect(restoreInto(pool, bad), name).rejects.toThrow(/damaged|too early/)
    const { rows } = await pool.query("select to_regclass('users') is not null as exists")
    if (rows[0].exists) await checkRestored(pool)
    if (rows[0].exists) expect((await pool.query('select from users')).rowCount, name).toBe(0)
  }
  const reader = openBackup(file)
  const header = await readHeader(reader)
  const later = { ...header, migrations: [...header.migrations, '9999_later.sql'] }
  await expect(restoreBackup(pool, reader, later)).rejects.toThrow(/another version.*9999_later/)
  await reader.close()
})
