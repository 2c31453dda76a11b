/** Databases for tests: one PostgreSQL for a whole run, and in it a copy of a migrated one for every product that is started. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { listSettings } from '#server/platform/db/citus.ts'
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

/** The nodes of a Citus cluster beside its coordinator; each has the databases of the coordinator, under the same names. */
const otherNodes = () => process.env.POSTLARK_TEST_NODES?.split(' ') ?? []

/** The databases of this run are spread over the nodes of a cluster (npm run test:distributed). */
export const isSpread = otherNodes().length > 0

async function onEveryServer(server: string, statement: string): Promise<void> {
  await Promise.all([server, ...otherNodes()].map((url) => onServer(url, statement)))
}

/** The same server, another database. */
export function onDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** A new database on a server: empty, or a copy of another one nobody is connected to. */
export async function createDatabase(server: string, name: string, template = 'template0'): Promise<TestDatabase> {
  // Copying the files costs two checkpoints and no log, which is less than writing 10 MB of log.
  await onEveryServer(server, `create database ${name} template ${template} strategy file_copy`)
  if (isSpread) for (const statement of listSettings(name)) await onEveryServer(server, statement)
  return {
    url: onDatabase(server, name),
    drop: () => onEveryServer(server, `drop database ${name} with (force)`),
  }
}

const copyPrefix = () => `test_${process.env.POSTLARK_TEST_RUN}_`
const freshName = () => `${copyPrefix()}${randomUUID().replaceAll('-', '')}`

const END_OF_RUN = 'end-of-run'

/** Calls `stop` where the databases of the run are dropped while this worker is still there. Returns how to take it back. */
export function onEndOfRun(stop: () => void): () => void {
  const folder = process.env.POSTLARK_TEST_FOLDER
  if (!folder) return () => undefined
  const watcher = watch(folder, { persistent: false }, (_, name) => name === END_OF_RUN && stop())
  return () => watcher.close()
}

/** Tells the workers of a run, by the folder they share, that its databases are dropped now. */
export const tellEndOfRun = (folder: string): void => writeFileSync(join(folder, END_OF_RUN), '')

/** Drops the databases of this run that nobody dropped, because their worker ended. */
export async function dropCopies(server: string): Promise<void> {
  const { rows } = await onServer(
    server,
    `select datname from pg_database where starts_with(datname, '${copyPrefix()}')`,
  )
  for (const { datname } of rows) await onEveryServer(server, `drop database ${datname} with (force)`)
}

/** A migrated database with the first admin. `isEmpty`: one without any table instead. */
export function testDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  return createDatabase(serverUrl(), freshName(), isEmpty ? undefined : process.env.POSTLARK_TEST_TEMPLATE)
}

/**
 * Spreads the tables of the template over the cluster, and has nobody connected to it: the daemons of Citus would be. A copy on
 * each node is a spread database too, because what Citus knows of it is in its own tables.
 */
export async function spreadTemplate(server: string, name: string, spread: () => Promise<unknown>): Promise<void> {
  const nodes = otherNodes()
  for (const node of [server, ...nodes]) await onServer(onDatabase(node, name), 'create extension citus')
  const url = onDatabase(server, name)
  await onServer(url, `select citus_set_coordinator_host('127.0.0.1', ${new URL(server).port})`)
  for (const node of nodes) await onServer(url, `select citus_add_node('127.0.0.1', ${new URL(node).port})`)
  await spread()
  await onEveryServer(server, `alter database ${name} allow_connections false`)
  await onEveryServer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
}
