import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { until } from '#server/testing/until.ts'
import { freePort } from './server-process.ts'

/** Debian's PostgreSQL, which has pg_basebackup. */
export const BIN = '/usr/lib/postgresql/15/bin'

const readId = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim())

/** Runs PostgreSQL's programs as the user `postgres` where this is root: it does not run as root. */
function findUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: readId('-u'), gid: readId('-g') } : undefined
}

/** A cluster in a folder of its own on a port. */
function cluster(folder: string, port: number, user: ReturnType<typeof findUser>) {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
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
    port,
    async start() {
      child = spawn(join(BIN, 'postgres'), ['-D', folder, '-p', String(port)], {
        stdio: 'ignore',
        cwd: folder,
        ...user,
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
  }
}

/** A primary with a streaming replica, or why there is none. */
export async function startReplicated() {
  if (!existsSync(join(BIN, 'pg_basebackup')))
    return `there is no ${BIN}/pg_basebackup: apt-get install -y postgresql-15`
  const user = findUser()
  const folders = [mkdtempSync(join(tmpdir(), 'primary-')), mkdtempSync(join(tmpdir(), 'replica-'))] as const
  if (user) for (const folder of folders) chownSync(folder, user.uid, user.gid)
  const run = (program: string, args: string[]) =>
    execFileSync(join(BIN, program), args, { stdio: 'pipe', cwd: tmpdir(), ...user })
  const [first, second] = folders
  run('initdb', ['-D', first, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'])
  appendFileSync(
    join(first, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\nmax_connections = 100\nhot_standby_feedback = on\n`,
  )
  const primary = cluster(first, await freePort(), user)
  await primary.start()
  run('pg_basebackup', [
    '-h',
    '127.0.0.1',
    '-p',
    String(primary.port),
    '-U',
    'postgres',
    '-D',
    second,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  ])
  const replica = cluster(second, await freePort(), user)
  await replica.start()
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
