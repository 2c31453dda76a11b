import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts } from '#contracts/accounts/accounts.ts'
import { type ApiClient, apiClient } from '#contracts/client.ts'
import { FIRST_ADMIN } from '#server/testing/database.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
/** What `npm start` gives Node: variables, flags and the server's file. */
const [, variables = '', flags = ''] = /&& (.*) exec \S+\/node (.*)/.exec(scripts.start) ?? []
const NODE_VARIABLES = Object.fromEntries(variables.split(' ').map((variable) => variable.split('=')))
const NODE_ARGUMENTS = flags.split(' ')

// What a test that is run alone starts is built of the sources as they are now; `npm test` and `npm run bench` have done that.
let isBuilt = process.env.POSTLARK_PREPARED !== undefined
function build(): void {
  if (!isBuilt) execFileSync(process.execPath, ['scripts/prepare.mjs', 'server'], { cwd: ROOT })
  isBuilt = true
}

/**
 * A port nobody listens on now, and that is given to nobody before it is used: below those the system hands out by itself
 * (from 32768 on), to listeners on port 0 and to every outgoing connection.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const probe = createServer().listen(randomInt(15_000, 32_000), '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    const { port } = probe.address() as { port: number }
    probe.close()
    await once(probe, 'close')
    return port
  }
}

/** On an empty database; the same as in every copy of the migrated one. */
export const ADMIN = FIRST_ADMIN

/** Where a server is started, and as whom. */
interface StartAs {
  folder?: string
  user?: { uid: number; gid: number }
  /** Goes before the command, such as a program that gives it namespaces of its own. */
  prefix?: string[]
}

/** A server in a process of its own. `ready` resolves when it responds; `stop` sends a signal and waits for the end. */
export function startServer(environment: Record<string, string>, { folder = ROOT, user, prefix = [] }: StartAs = {}) {
  const port = environment.PORT ?? '3000'
  const url = `http://127.0.0.1:${port}`
  let output = ''
  if (folder === ROOT) build()
  const [command = '', ...given] = [...prefix, process.execPath, ...NODE_ARGUMENTS]
  const child: ChildProcess = spawn(command, given, {
    cwd: folder,
    ...user,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...NODE_VARIABLES,
      LOG_LEVEL: 'warn',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | NodeJS.Signals>((resolve) =>
    child.on('exit', (code, signal) => resolve(code ?? signal ?? -1)),
  )
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      // A worker prints the same line: it listens too, for /healthz.
      if (output.includes('Postlark is ready')) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    void exited.then((code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  ready.catch(() => undefined)
  return {
    url,
    ready,
    pid: child.pid ?? 0,
    exited,
    output: () => output,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}

/** The typed client over the network, of nobody or of the user whose token it is. */
export function connectApi(url: string, token?: string): ApiClient {
  return apiClient((path, init) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...(token && { authorization: `Bearer ${token}` }) },
    }),
  )
}

/** The typed client of a signed-in user over the network. */
export async function signIn(url: string, who: { email: string; password: string } = ADMIN): Promise<ApiClient> {
  const { token } = await connectApi(url)(accounts.login, { body: who })
  return connectApi(url, token)
}
