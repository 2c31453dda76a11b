/**
 * npm run test:contract [-- options of schemathesis]: an independent tester (schemathesis, from PyPI) calls a running
 * product by its OpenAPI document and reports what the document does not say. Needs python3 3.10 or newer.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const TESTER = 'schemathesis==4.32.5'
const VENV = '.cache/schemathesis'
const SEED = '20260115'
const MAX_EXAMPLES = '20'
/** What is run: the calls by themselves, then for two minutes chains of calls that follow the links of the document. */
const RUNS = [
  // How fast it makes examples says how busy this machine is, and nothing of the product.
  ['--phases', 'examples,coverage,fuzzing', '--suppress-health-check', 'too_slow'],
  ['--phases', 'stateful', '--max-time', '120'],
]
/** Which responses are right although Schemathesis doubts them, with the reasons. */
const CONFIG = 'scripts/contract/schemathesis.toml'
const START_MS = 120_000
const EMAIL = 'contract@example.com'
const PASSWORD = 'a phrase for the contract test'

/** They would end the session or remove the account that everything else is asked with. */
const EXCLUDED = [
  'accounts.logout',
  'accounts.remove',
  'accounts.endSession',
  'accounts.endSessions',
  'accounts.changePassword',
  'admin.changeUser',
  'admin.endSessions',
]

function run(command: string, given: string[], environment: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, { stdio: ['ignore', 'inherit', 'inherit'], env: environment })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

async function installTester(): Promise<string> {
  const program = join(VENV, 'bin/schemathesis')
  if (existsSync(program)) return program
  const isReady =
    (await run('python3', ['-m', 'venv', VENV])) === 0 &&
    (await run(join(VENV, 'bin/pip'), ['install', '--quiet', TESTER])) === 0
  if (!isReady) throw new Error(`${TESTER} could not be installed into ${VENV}`)
  return program
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + START_MS
  for (;;) {
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    if (Date.now() > end) throw new Error(`the product was not ready within ${START_MS / 1000} seconds`)
    await wait(250)
  }
}

async function logIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  return ((await response.json()) as { token: string }).token
}

async function testProduct(tester: string, dataDir: string): Promise<number> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const environment = {
    ...process.env,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    // Answered by nobody, so that no crawl leaves this machine.
    COLLECTOR_ALLOW_PRIVATE: '127.0.0.1:9',
  }
  const person = [
    '--email',
    EMAIL,
    '--password',
    PASSWORD,
    '--name',
    'Contract',
    '--role',
    'admin',
    '--plan',
    'business',
  ]
  const added = await run(process.execPath, ['scripts/user.ts', 'add', ...person, '--verified'], environment)
  if (added !== 0) return added
  const product = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  })
  try {
    await untilReady(url)
    const bounds = ['--seed', SEED, '--max-examples', MAX_EXAMPLES, '--continue-on-failure', '--request-timeout', '20']
    const excluded = EXCLUDED.flatMap((id) => ['--exclude-operation-id', id])
    // A stream has no end, so that its response is never whole.
    const streams = ['--exclude-path-regex', '/live$']
    const token = ['--header', `Authorization: Bearer ${await logIn(url)}`]
    // Schemathesis itself waits ten seconds for it, which a busy machine may need longer for.
    const document = join(dataDir, 'openapi.json')
    await writeFile(document, await (await fetch(`${url}/api/openapi.json`)).text())
    const given = ['--config-file', CONFIG, 'run', document, '--url', url, ...bounds, ...excluded, ...streams, ...token]
    const options = process.argv.slice(2)
    let failed = 0
    for (const phases of options.length > 0 ? [options] : RUNS) {
      const code = await run(tester, [...given, ...phases])
      failed ||= code
    }
    return failed
  } finally {
    const ended = new Promise((resolve) => product.once('exit', resolve))
    product.kill('SIGTERM')
    await ended
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'postlark-contract-'))
try {
  process.exitCode = await testProduct(await installTester(), dataDir)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
