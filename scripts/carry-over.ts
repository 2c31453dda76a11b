/**
 * npm run carry-over: brings the rows of the preview, whose embedded database was PGlite (DATA_DIR/database), into the
 * embedded PostgreSQL. The old folder is read from a copy and stays as it is. The server has to be stopped.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { loadConfig } from '../server/platform/config.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { createLog } from '../server/platform/log.ts'

const PGLITE = '@electric-sql/pglite'
const VERSION = '0.5.14'
const BATCH_SIZE = 1_000

/** As much of PGlite as is used here. */
interface Preview {
  query<T>(statement: string): Promise<{ rows: T[] }>
  close(): Promise<void>
}

class CannotCarryOver extends Error {}

async function openPreview(folder: string, temporary: string): Promise<Preview> {
  execFileSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', temporary, `${PGLITE}@${VERSION}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const copy = join(temporary, 'database')
  cpSync(folder, copy, { recursive: true })
  const { PGlite } = await import(pathToFileURL(join(temporary, 'node_modules', PGLITE, 'dist/index.js')).href)
  return PGlite.create({ dataDir: copy })
}

const migrationsOf = async (query: (statement: string) => Promise<{ rows: { name: string }[] }>) =>
  (await query('select name from schema_migrations order by name')).rows.map(({ name }) => name).join()

/** The columns of each table that are stored, in quotes. */
async function tablesOf(client: pg.PoolClient): Promise<{ name: string; columns: string }[]> {
  const { rows } = await client.query(`
    select quote_ident(c.relname) as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations' group by c.relname`)
  return rows
}

async function copyTable(
  preview: Preview,
  client: pg.PoolClient,
  { name, columns }: { name: string; columns: string },
) {
  let count = 0
  await preview.query(`declare carried no scroll cursor with hold for select to_json(t)::text as row from ${name} t`)
  for (;;) {
    const { rows } = await preview.query<{ row: string }>(`fetch ${BATCH_SIZE} from carried`)
    if (rows.length === 0) break
    await client.query(
      `insert into ${name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${name}, $1)`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    )
    count += rows.length
  }
  await preview.query('close carried')
  return count
}

/** Numbers given out from now on come after those that were carried over. */
async function raiseSequences(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(`
    select c.relname as name, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null`)
  for (const { name, column, sequence } of rows)
    await client.query(`select setval('${sequence}', coalesce(max("${column}"), 0) + 1, false) from "${name}"`)
}

async function carryOver(preview: Preview, client: pg.PoolClient): Promise<void> {
  const [old, fresh] = [await migrationsOf((s) => preview.query(s)), await migrationsOf((s) => client.query(s))]
  if (old !== fresh)
    throw new CannotCarryOver('The preview is of another version. Start its own version once more, then try again.')
  if ((await client.query('select 1 from contacts union all select 1 from campaigns limit 1')).rows.length > 0)
    throw new CannotCarryOver(
      'DATA_DIR/postgres has contacts or campaigns already. Move it away first; nothing was changed.',
    )
  const tables = await tablesOf(client)
  await client.query('begin')
  // No trigger counts again what is counted already, and no key asks for a row that comes later.
  await client.query('set local session_replication_role = replica')
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  let rows = 0
  for (const table of tables) rows += await copyTable(preview, client, table)
  await raiseSequences(client)
  await client.query('commit')
  await client.query('analyze')
  console.log(`${rows} rows of ${tables.length} tables were carried over. DATA_DIR/database is no longer needed.`)
}

async function run() {
  const config = loadConfig()
  const folder = join(config.dataDir, 'database')
  if (!existsSync(join(folder, 'PG_VERSION')))
    throw new CannotCarryOver(`There is no database of the preview in ${folder}.`)
  const temporary = mkdtempSync(join(tmpdir(), 'postlark-carry-over-'))
  const database = await openDatabase(config, createLog({ logLevel: 'silent' }))
  try {
    await migrate(database.pool)
    const preview = await openPreview(folder, temporary)
    const client = await database.pool.connect()
    await carryOver(preview, client).finally(() => client.release(true))
    await preview.close()
  } finally {
    await database.close()
    rmSync(temporary, { recursive: true, force: true })
  }
}

run().catch((error) => {
  console.error(error instanceof CannotCarryOver ? error.message : error)
  process.exitCode = 1
})
