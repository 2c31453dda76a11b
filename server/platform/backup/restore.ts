import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { MigrationError, migrate } from '../db/migrate.ts'
import { BackupError, type BackupReader, Header, Section } from './format.ts'
import { listTables, quote, type Table } from './tables.ts'

type WaitingJob = Extract<Section, { job: unknown }>['job']

/** In `settings` while a restore is not complete: a server that finds it does not start. */
const MARK = 'restore'

export interface RestoreSummary {
  tables: number
  rows: number
  jobs: WaitingJob[]
  note: unknown
}

/** Throws BackupError in a database whose restore was cut off: its work must not begin. */
export async function checkRestored(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('select 1 from settings where key = $1', [MARK])
  if (rows.length > 0)
    throw new BackupError('A restore of this database was interrupted. Run npm run restore again, with the same file.')
}

/** Reads the first line. Throws BackupError where this version cannot read the file. */
export async function readHeader(reader: BackupReader): Promise<Header> {
  const header = await reader.section(Header)
  if (header.version !== 1)
    throw new BackupError(`The backup was made by a newer version of Postlark (${header.postlark}). Upgrade first.`)
  return header
}

async function exists(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as exists', [table])
  return rows[0]?.exists === true
}

// The connections of a server that was just stopped are closed a moment later.
const PATIENCE_MS = 5_000
const POLL_INTERVAL_MS = 50

async function hasOtherServers(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = 'postlark'
      and pid <> pg_backend_pid() and state is not null limit 1`,
  )
  return rows.length > 0
}

/**
 * Empties a database that nobody worked in: without contacts, campaigns and a second user. Throws BackupError, with nothing
 * changed, where there is more, or where a server is connected.
 */
export async function clearUnused(client: pg.ClientBase): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (await hasOtherServers(client)) {
    if (performance.now() > deadline) throw new BackupError('A server works on this database. Stop every server first.')
    await wait(POLL_INTERVAL_MS)
  }
  if (await exists(client, 'public.schema_migrations')) {
    const isCutOff =
      (await exists(client, 'public.settings')) &&
      (await client.query('select 1 from settings where key = $1', [MARK])).rows.length > 0
    const isUsed =
      !isCutOff &&
      (await exists(client, 'public.users')) &&
      (
        await client.query(
          'select 1 where exists (select 1 from contacts) or exists (select 1 from campaigns) or (select count(*) from users) > 1',
        )
      ).rows.length > 0
    if (isUsed)
      throw new BackupError(
        'The database has data already. Restore into an empty one: another DATA_DIR, or another DATABASE_URL. Nothing was changed.',
      )
  }
  await client.query('drop schema if exists pgboss cascade')
  await client.query('drop schema public cascade')
  await client.query('create schema public')
}

async function load(client: pg.ClientBase, reader: BackupReader, table: Table): Promise<number> {
  const columns = table.columns.map(quote).join(', ')
  const target = client.query(copyFrom(`copy ${quote(table.name)} (${columns}) from stdin`))
  await pipeline(Readable.from(reader.rows()), target).catch((error: NodeJS.ErrnoException) => {
    // A row that does not fit the table: data exceptions and integrity constraint violations.
    if (!/^2[23]/.test(error.code ?? '')) throw error
    throw new BackupError(`The file is damaged: a row of ${table.name} is not valid (${error.message}).`)
  })
  return target.rowCount
}

/** Loads every section into the empty tables, inside a transaction of the caller. */
async function loadAll(client: pg.ClientBase, reader: BackupReader): Promise<RestoreSummary> {
  const known = new Map((await listTables(client)).map((table) => [table.name, table]))
  const summary: RestoreSummary = { tables: 0, rows: 0, jobs: [], note: null }
  for (;;) {
    const section = await reader.section(Section)
    if ('table' in section) {
      const table = known.get(section.table)
      if (!table || section.columns.some((column) => !table.columns.includes(column)))
        throw new BackupError(`The backup has a table ${section.table} that its version does not have.`)
      summary.rows += await load(client, reader, { name: section.table, columns: section.columns })
      summary.tables += 1
    } else if ('sequence' in section) {
      const { table, column, value } = section.sequence
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quote(table), column, value])
    } else if ('job' in section) summary.jobs.push(section.job)
    else if ('note' in section) summary.note = section.note
    else {
      await reader.end()
      const { rows, tables, sha256 } = section.end
      if (rows !== summary.rows || tables !== summary.tables || sha256 !== reader.sha256())
        throw new BackupError('The file is damaged: its content is not what was written.')
      return summary
    }
  }
}

/**
 * Brings a backup, whose header was read, into an empty database: the tables as they were then, the rows, and what newer
 * versions changed since. Until `finishRestore` no server starts on it. Throws BackupError, with no row restored.
 */
export async function restoreBackup(pool: pg.Pool, reader: BackupReader, header: Header): Promise<RestoreSummary> {
  await migrate(pool, header.migrations).catch((error) => {
    if (!(error instanceof MigrationError)) throw error
    throw new BackupError(`The backup was made by another version of Postlark (${header.postlark}): ${error.message}`)
  })
  await pool.query('insert into settings (key, value) values ($1, $2) on conflict do nothing', [MARK, header.at])
  const summary = await loadInto(pool, reader, header).catch(async (error) => {
    // It was not cut off: the tables are empty, and a server may start on them.
    await pool.query('delete from settings where key = $1', [MARK])
    throw error
  })
  await migrate(pool)
  return summary
}

/** Loads everything in one transaction, the mark included. */
async function loadInto(pool: pg.Pool, reader: BackupReader, header: Header): Promise<RestoreSummary> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    // Counts are restored as they are: no trigger counts again.
    const tables = await listTables(client)
    for (const { name } of tables) await client.query(`alter table ${quote(name)} disable trigger user`)
    // Rows that migrations themselves wrote.
    await client.query(`truncate ${tables.map(({ name }) => quote(name)).join(', ')}`)
    const summary = await loadAll(client, reader)
    for (const { name } of tables) await client.query(`alter table ${quote(name)} enable trigger user`)
    await client.query('insert into settings (key, value) values ($1, $2)', [MARK, header.at])
    await client.query('commit')
    return summary
  } finally {
    // Amid an error the connection may be within a COPY.
    client.release(true)
  }
}

/** The restore is complete: a server may start. */
export async function finishRestore(pool: pg.Pool): Promise<void> {
  await pool.query('analyze')
  await pool.query('delete from settings where key = $1', [MARK])
}
