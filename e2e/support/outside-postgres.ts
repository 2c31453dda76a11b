/** PostgreSQL of the machine (Debian's 15), run beside the product as an administrator would: over TCP, with a standby. */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './server-process.ts'

const ROOT = '/usr/lib/postgresql'

/** Where its programs are; undefined when the machine has none. */
export const postgresPrograms: string | undefined = existsSync(ROOT)
  ? readdirSync(ROOT)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(ROOT, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'pg_basebackup')))
  : undefined

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0
const asPostgres = isRoot ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] : []

function run(program: string, ...given: string[]): void {
  const [command = '', ...rest] = [...asPostgres, join(postgresPrograms ?? '', program), ...given]
  // Its log goes to a file: it outlives this call and would hold the pipe.
  execFileSync(command, rest, { stdio: 'ignore', cwd: tmpdir() })
}

export interface OutsidePostgres {
  host: string
  port: number
  /** Ends its connections and starts it again. */
  restart(): void
  /** Makes a standby the primary. */
  promote(): void
  /** Ends it as a power cut would. */
  stop(): void
}

const SETTINGS = {
  wal_level: 'replica',
  hot_standby: 'on',
  fsync: 'off',
  max_connections: '100',
  wal_receiver_status_interval: '1s',
}

/**
 * Starts one on a free port of `host`, with anybody trusted: an empty one, or a standby that follows another. A primary confirms a
 * commit only once `waitsFor` standbys have it.
 */
export async function startOutsidePostgres({
  host = '127.0.0.1',
  follows,
  waitsForStandby = false,
}: {
  host?: string
  follows?: OutsidePostgres
  waitsForStandby?: boolean
} = {}): Promise<OutsidePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-outside-'))
  if (isRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(folder, id('-u'), id('-g'))
  }
  const data = join(folder, 'data')
  const port = await freePort()
  if (follows)
    run(
      'pg_basebackup',
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '-D',
      data,
      '-h',
      follows.host,
      '-p',
      `${follows.port}`,
      '-U',
      'postgres',
    )
  else {
    run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8')
    for (const kind of ['host all', 'host replication'])
      execFileSync('sh', ['-c', `echo "${kind} all 0.0.0.0/0 trust" >> ${join(data, 'pg_hba.conf')}`])
  }
  const settings = {
    ...SETTINGS,
    listen_addresses: host,
    port: String(port),
    unix_socket_directories: folder,
    ...(waitsForStandby && { synchronous_standby_names: '*' }),
  }
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
  const control = (...given: string[]) => run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), ...given)
  control('start', '-o', options)
  return {
    host,
    port,
    restart: () => control('restart', '-m', 'fast', '-o', options),
    promote: () => control('promote'),
    stop() {
      try {
        control('stop', '-m', 'immediate')
      } catch {
        // It was stopped before.
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A port that passes connections on to a place that can change, as a virtual address of a cluster does. */
export async function startForwarder(target: { host: string; port: number }, host = '127.0.0.1') {
  let current = target
  const sockets = new Set<net.Socket>()
  const server = net.createServer((near) => {
    const far = net.connect(current)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    host,
    port,
    /** New connections go there; those that exist stay. */
    leadTo(next: { host: string; port: number }) {
      current = next
    },
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
