import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '#server/testing/until.ts'
import { freePort } from './server-process.ts'

/** Server connections that all clients of the pooler share. */
export const POOLED = 10

function isInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const canConnect = async (port: number) => {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

/**
 * A PgBouncer that pools by transaction, in front of a database that is reached by a socket. Returns its URL and how to end it,
 * or why there is none.
 */
export async function startPgBouncer(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> } | string> {
  if (!isInstalled()) return 'PgBouncer is not installed: apt-get install -y pgbouncer'
  const target = new URL(databaseUrl)
  const host = target.searchParams.get('host') ?? target.hostname
  const database = target.pathname.slice(1)
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${database} = host=${host} port=${target.port || 5432} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${POOLED}
server_reset_query_always = 0
`,
  )
  // It does not run as root, and the socket's folder is open to its owner only: to the pooler root has another id.
  const asAnother = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : []
  const [command = '', ...args] = [...asAnother, 'pgbouncer', '-q', join(folder, 'pgbouncer.ini')]
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const exited = once(child, 'exit')
  await until(() => canConnect(port), 'the port of PgBouncer')
  return {
    url: `postgres://${target.username}@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
