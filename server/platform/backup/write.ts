import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { BackupError, END_OF_ROWS, FORMAT_VERSION, type Header, type Section } from './format.ts'
import { listSequences, listTables, quote, type Table } from './tables.ts'

const COMPRESSION_LEVEL = 3

interface Summary {
  tables: number
  rows: number
}

export interface BackupSummary extends Summary {
  bytes: number
}

// Work under way counts: a restore starts it again. What is periodic is queued by every start.
const JOBS = `
  select name, coalesce(data, '{}') as data, singleton_key, retry_limit, expire_seconds,
    to_char(start_after at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as start_after
  from pgboss.job where state in ('created', 'retry', 'active') and name not like '\\_\\_pgboss%'
    and singleton_key is distinct from 'next'
  order by created_on`

async function* jobs(client: pg.ClientBase): AsyncGenerator<Section> {
  const { rows: found } = await client.query("select to_regclass('pgboss.job') is not null as exists")
  if (!found[0]?.exists) return
  const { rows } = await client.query(JOBS)
  for (const row of rows)
    yield {
      job: {
        name: row.name,
        data: row.data,
        startAfter: row.start_after,
        singletonKey: row.singleton_key,
        retryLimit: row.retry_limit,
        expireSeconds: row.expire_seconds,
      },
    }
}

async function readHeader(
  client: pg.ClientBase,
  given: Pick<Header, 'postlark' | 'secretKey'>,
): Promise<Header & { tables: Table[] }> {
  const { rows: known } = await client.query("select to_regclass('public.schema_migrations') is not null as exists")
  if (!known[0]?.exists) throw new BackupError('The database is empty: there is nothing to back up.')
  const { rows: migrations } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  const { rows: keys } = await client.query<{ value: string }>("select value from settings where key = 'secret_key'")
  return {
    format: 'postlark-backup',
    version: FORMAT_VERSION,
    at: new Date().toISOString(),
    ...given,
    migrations: migrations.map(({ name }) => name),
    keyFingerprint: keys[0]?.value ?? null,
    tables: await listTables(client),
  }
}

const line = (value: Header | Section) => `${JSON.stringify(value)}\n`

/** The whole file, uncompressed, without its end. */
async function* content(
  client: pg.ClientBase,
  { tables, ...header }: Header & { tables: Table[] },
  note: unknown,
): AsyncGenerator<Buffer | string, Summary> {
  yield line(header)
  yield line({ note })
  let total = 0
  for (const { name, columns } of tables) {
    yield line({ table: name, columns })
    const rows = client.query(copyTo(`copy (select ${columns.map(quote).join(', ')} from ${quote(name)}) to stdout`))
    yield* rows
    yield END_OF_ROWS
    total += rows.rowCount
  }
  for (const { table, column, value } of await listSequences(client))
    if (value !== null) yield line({ sequence: { table, column, value } })
  for await (const job of jobs(client)) yield line(job)
  return { tables: tables.length, rows: total }
}

/** The same, and its end with the checksum. */
async function* withEnd(sections: ReturnType<typeof content>, done: (summary: Summary) => void) {
  const hash = createHash('sha256')
  for (;;) {
    const next = await sections.next()
    if (next.done) {
      done(next.value)
      yield line({ end: { ...next.value, sha256: hash.digest('hex') } })
      return
    }
    hash.update(next.value)
    yield next.value
  }
}

/**
 * Writes every row to a file (mode 0600) as of one moment, while the server goes on. The file appears under its name when
 * it is complete and on the disk; an older one of that name stays until then. `readNote` is asked
 * at the moment the rows are of. `client` is used for nothing else meanwhile,
 * and for nothing after an error. Throws BackupError, and what the disk or the database says.
 */
export async function writeBackup(
  client: pg.ClientBase,
  file: string,
  given: Pick<Header, 'postlark' | 'secretKey'>,
  readNote: (client: pg.ClientBase) => Promise<unknown> = async () => null,
): Promise<BackupSummary> {
  // Of its own: a second backup to the same name may run meanwhile, and the last to end stays.
  const part = `${file}.${randomUUID()}.part`
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query('set local statement_timeout = 0')
    const header = await readHeader(client, given)
    const note = await readNote(client)
    let summary: Summary = { tables: 0, rows: 0 }
    const sections = content(client, header, note)
    const source = Readable.from(
      withEnd(sections, (done) => {
        summary = done
      }),
    )
    const compressor = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
    })
    const target = createWriteStream(part, { mode: 0o600, flush: true })
    await pipeline(source, compressor, target)
    renameSync(part, file)
    await syncFolder(file)
    await client.query('commit')
    return { ...summary, bytes: target.bytesWritten }
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** A new name is on the disk only when its folder is. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(resolve(file)), 'r')
  await folder.sync().finally(() => folder.close())
}
