/** Databases for tests: one PostgreSQL for a whole run, and in it a copy of a migrated one for every product that is started. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#server/platform/db/embedded/index.ts'
import { createLog } from '#server/platform/log.ts'

/** A PostgreSQL of its own in a temporary folder, by its socket. `settings`: beside what the embedded database runs with. */
export async function startPostgres(settings: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-server-'))
  const embedded = await startEmbedded(folder, createLog({ logLevel: 'error' }), { settings })
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(embedded.host)}`,
    async stop() {
      await embedded.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The server of this run: the one global-setup.ts started, or the one DATABASE_URL names. */
function serverUrl(): string {
  const url = process.env.POSTLARK_TEST_SERVER
  if (!url) throw new Error('no database server: these tests are run by vitest, whose set-up starts one')
  return url
}

async function onServer(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(statement).finally(() => client.end())
}

/** Who is in every copy of the migrated database. */
export const FIRST_ADMIN = { email: 'admin@example.com', password: 'the first admin phrase' }

export interface TestDatabase {
  /** For DATABASE_URL. */
  url: string
  drop(): Promise<void>
}

/** A new database on a server: empty, or a copy of another one nobody is connected to. */
export async function createDatabase(server: string, name: string, template = 'template0'): Promise<TestDatabase> {
  // Copying the files costs two checkpoints and no log, which is less than writing 10 MB of log.
  await onServer(server, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

const copyPrefix = () => `test_${process.env.POSTLARK_TEST_RUN}_`
const freshName = () => `${copyPrefix()}${randomUUID().replaceAll('-', '')}`

/** Drops the databases of this run that nobody dropped, because their worker ended. */
export async function dropCopies(server: string): Promise<void> {
  const { rows } = await onServer(
    server,
    `select datname from pg_database where starts_with(datname, '${copyPrefix()}')`,
  )
  for (const { datname } of rows) await onServer(server, `drop database ${datname} with (force)`)
}

/** A migrated database with the first admin. `isEmpty`: one without any table instead. */
export function testDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  return createDatabase(serverUrl(), freshName(), isEmpty ? undefined : process.env.POSTLARK_TEST_TEMPLATE)
}
