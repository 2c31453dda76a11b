import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { until } from '#server/testing/until.ts'
import { freePort } from './server-process.ts'

/** Debian's PostgreSQL: it has pg_basebackup, and extensions are built for it. */
const BIN = '/usr/lib/postgresql/15/bin'
const LOCALHOST = '127.0.0.1'
const CITUS = '/usr/lib/postgresql/15/lib/citus.so'

const readId = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim())

/** Runs PostgreSQL's programs as the user `postgres` where this is root: it does not run as root. */
const findUser = (): { uid: number; gid: number } | undefined =>
  process.getuid?.() === 0 ? { uid: readId('-u'), gid: readId('-g') } : undefined

function run(program: string, args: string[]): void {
  execFileSync(join(BIN, program), args, { stdio: 'pipe', cwd: tmpdir(), ...findUser() })
}

function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  const user = findUser()
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** A server in a folder of its own on a port of an address of this machine. */
async function newServer(folder: string, host = LOCALHOST) {
  const port = await freePort()
  const url = `postgres://postgres@${host}:${port}/postgres`
  let child: ChildProcess | undefined
  const responds = async () => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    return client
      .connect()
      .then(() => true)
      .catch(() => false)
      .finally(() => client.end().catch(() => undefined))
  }
  return {
    url,
    host,
    port,
    async start() {
      child = spawn(join(BIN, 'postgres'), ['-D', folder, '-p', String(port)], {
        stdio: 'ignore',
        cwd: folder,
        // Not root's: its nodes look for certificates there.
        env: { PATH: process.env.PATH, HOME: folder },
        ...findUser(),
      })
      await until(responds, 'PostgreSQL', 60)
    },
    /** Ends it at once, as a crash would. */
    async stop() {
      if (!child || child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGQUIT')
      await exited
    },
    /** Makes a replica the primary. */
    promote: () => run('pg_ctl', ['promote', '-w', '-D', folder]),
  }
}

function initialize(folder: string, settings: string, host = LOCALHOST): void {
  run('initdb', ['-D', folder, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'])
  for (const kind of ['all', 'replication'])
    appendFileSync(join(folder, 'pg_hba.conf'), `host ${kind} all samenet trust\n`)
  const common = `listen_addresses = '${host}'\nunix_socket_directories = ''\nfsync = off\nmax_connections = 100\n`
  appendFileSync(join(folder, 'postgresql.conf'), common + settings)
}

/**
 * A primary with a streaming replica at an address of this machine, or why there is none. With `isSynchronous` the primary
 * confirms a commit only once the replica has it.
 */
export async function startReplicated({ host = LOCALHOST, isSynchronous = false } = {}) {
  if (!existsSync(join(BIN, 'pg_basebackup')))
    return `there is no ${BIN}/pg_basebackup: apt-get install -y postgresql-15`
  const folders = [newFolder('primary'), newFolder('replica')] as const
  const [first, second] = folders
  initialize(first, 'hot_standby_feedback = on\n', host)
  const [primary, replica] = [await newServer(first, host), await newServer(second, host)]
  await primary.start()
  const from = ['-h', host, '-p', String(primary.port), '-U', 'postgres']
  run('pg_basebackup', [...from, '-D', second, '-R', '-X', 'stream', '-c', 'fast'])
  await replica.start()
  if (isSynchronous) {
    await onServer(primary.url, `alter system set synchronous_standby_names = '*'`)
    await onServer(primary.url, 'select pg_reload_conf()')
  }
  return {
    primary,
    replica,
    async stop() {
      await replica.stop()
      await primary.stop()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * A Citus cluster of a coordinator and so many nodes, or why there is none. No node is known to the coordinator yet. `shards`: of each
 * table, and `connections` to each server.
 */
export async function startCitus(nodes: number, { shards = 8, connections = 100 } = {}) {
  if (!existsSync(CITUS)) return `there is no ${CITUS}: Citus 13 for PostgreSQL 15 is to be installed`
  // Of what is set twice the last holds. A daemon of Citus works in each database.
  const settings = `shared_preload_libraries = 'citus'\nwal_level = logical\nmax_connections = ${connections}\nmax_worker_processes = 100
max_prepared_transactions = 100\ncitus.shard_count = ${shards}\ncitus.node_conninfo = 'sslmode=disable'\n`
  const folders = Array.from({ length: nodes + 1 }, (_, i) => newFolder(`citus-${i}`))
  const servers: Awaited<ReturnType<typeof newServer>>[] = []
  for (const folder of folders) {
    initialize(folder, settings)
    const server = await newServer(folder)
    await server.start()
    servers.push(server)
    await onServer(server.url, 'create extension citus')
  }
  const [coordinator, ...others] = servers
  if (!coordinator) throw new Error('there is no coordinator')
  return {
    url: coordinator.url,
    nodeUrls: others.map(({ url }) => url),
    ports: others.map(({ port }) => port),
    /** Has the coordinator spread over a node, by its port. */
    async addNode(port: number | undefined) {
      await onServer(coordinator.url, `select citus_set_coordinator_host('${LOCALHOST}', ${coordinator.port})`)
      await onServer(coordinator.url, `select citus_add_node('${LOCALHOST}', ${port})`)
    },
    /** What npm run migrate prints. */
    async migrate(secretKey: string): Promise<string> {
      const env = {
        PATH: process.env.PATH,
        DATABASE_URL: coordinator.url,
        DATABASE_BACKEND: 'citus',
        SECRET_KEY: secretKey,
      }
      const dataDir = newFolder('citus-data')
      const { stdout } = await promisify(execFile)(process.execPath, ['scripts/migrate.ts'], {
        env: { ...env, DATA_DIR: dataDir },
      })
      rmSync(dataDir, { recursive: true, force: true })
      return stdout
    },
    async stop() {
      for (const server of servers) await server.stop()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}
