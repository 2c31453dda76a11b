/** How the embedded PostgreSQL lives and dies with its server, and that one folder has one server. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { senders } from '#contracts/senders/senders.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { findPostgres, findProcesses, untilEmpty, untilReady } from '../support/postgres-processes.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const isRoot = process.getuid?.() === 0
let dataDir = ''
let servers: ReturnType<typeof startServer>[] = []

beforeEach(() => {
  dataDir = newDataFolder('life')
})
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')))
  servers = []
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

async function begin(environment: Record<string, string> = {}, prefix: string[] = []) {
  const port = String(await freePort())
  const server = startServer(
    { DATA_DIR: dataDir, PORT: port, SMTP_URL: 'smtp://127.0.0.1:1', ...environment },
    { prefix },
  )
  servers.push(server)
  return server
}

async function begun(environment: Record<string, string> = {}, prefix: string[] = []) {
  const server = await begin(environment, prefix)
  await server.ready
  return server
}

/** A PATH on which these programs are missing. */
function pathWithout(missing: string[]): string {
  const folder = join(dataDir, 'path')
  execFileSync('mkdir', ['-p', folder])
  for (const name of ['sh', 'id', 'setpriv', 'flock', 'unshare', 'true']) {
    const found = (process.env.PATH ?? '').split(':').find((part) => existsSync(join(part, name)))
    if (found && !missing.includes(name) && !existsSync(join(folder, name)))
      symlinkSync(join(found, name), join(folder, name))
  }
  return folder
}

const addContact = async (url: string, email: string) => {
  const api = await signIn(url)
  await api(contacts.create, { body: { email } })
}

test('embedded database: it ends with a server that is killed, and the next start has every contact', async () => {
  const first = await begun()
  await addContact(first.url, 'ada@example.com')
  expect(findProcesses(dataDir).length).toBeGreaterThan(3)
  await first.stop('SIGKILL')
  await untilEmpty(dataDir)
  const second = await begun()
  const { items } = await (await signIn(second.url))(contacts.list, { query: {} })
  expect(items.map(({ email }) => email)).toEqual(['ada@example.com'])
  expect(await second.stop()).toBe(0)
  expect(findProcesses(dataDir)).toEqual([])
})

test('embedded database: without setpriv it outlives a killed server, and the next start ends it', async () => {
  const PATH = pathWithout(['setpriv'])
  const first = await begun({ PATH })
  const { postmaster } = findPostgres(dataDir)
  await addContact(first.url, 'ada@example.com')
  await first.stop('SIGKILL')
  expect(findProcesses(dataDir)).toContain(postmaster)
  const second = await begun({ PATH })
  expect(findPostgres(dataDir).postmaster).not.toBe(postmaster)
  expect(findProcesses(dataDir)).not.toContain(postmaster)
  const { items } = await (await signIn(second.url))(contacts.list, { query: {} })
  expect(items.map(({ email }) => email)).toEqual(['ada@example.com'])
  expect(await second.stop()).toBe(0)
})

test('embedded database: it is started again when it is killed, and the server continues', async () => {
  const server = await begun()
  for (const round of [1, 2]) {
    const { postmaster } = findPostgres(dataDir)
    process.kill(postmaster, 'SIGKILL')
    const isNoticed = async () => (await fetch(`${server.url}/healthz`)).status !== 200 || postgresNow() !== postmaster
    await until(isNoticed, 'the end of PostgreSQL', 100, 10)
    await untilReady(server.url)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await addContact(server.url, `round${round}@example.com`)
  }
  expect(await server.stop()).toBe(0)
})

function postgresNow(): number {
  try {
    return findPostgres(dataDir).postmaster
  } catch {
    return 0
  }
}

test('embedded database: a second server in the folder is refused, and a killed one is no obstacle', async () => {
  const environments: Record<string, string>[] = [{}, ...(isLong ? [{ PATH: pathWithout(['flock']) }] : [])]
  for (const environment of environments) {
    const first = await begun(environment)
    const second = await begin(environment)
    await expect(second.ready).rejects.toThrow(`in use by process ${first.pid}. Stop the server first.`)
    await addContact(first.url, 'ada@example.com').catch(() => undefined)
    await first.stop('SIGKILL')
    const third = await begun(environment)
    expect(await third.stop()).toBe(0)
  }
})

test.skipIf(!isRoot || !isLong)(
  'embedded database: a server in another container is refused in the same folder',
  async () => {
    const container = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--']
    const first = await begun({}, container)
    await addContact(first.url, 'ada@example.com')
    const second = await begin({}, container)
    await expect(second.ready).rejects.toThrow('in use by a server in another container or on another machine')
    await addContact(first.url, 'eve@example.com')
    await first.stop('SIGKILL')
    const third = await begun({}, container)
    const { items } = await (await signIn(third.url))(contacts.list, { query: {} })
    expect(items.map(({ email }) => email).sort()).toEqual(['ada@example.com', 'eve@example.com'])
  },
)

test('embedded database: a second Ctrl-C ends the server at once, and no data is lost', async () => {
  // Takes a connection and says no word: what is being sent cannot be drained.
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  let again: NodeJS.Timeout | undefined
  try {
    const server = await begun({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    const api = await signIn(server.url)
    const connected = new Promise((resolve) => silent.once('connection', resolve))
    await sendTo(api, await uploadPeople(api, 20))
    await connected
    const first = performance.now()
    const ended = server.stop('SIGINT')
    // What comes within a second of the first is the same wish: npm passes the terminal's signal on. The next one ends it.
    again = setInterval(() => void server.stop('SIGINT'), 100)
    expect(await ended).toBe(0)
    expect(performance.now() - first).toBeGreaterThan(1_000)
    await untilEmpty(dataDir)
    const next = await begun({ LOG_LEVEL: 'debug' })
    expect(next.output()).toContain('was not properly shut down')
    expect((await (await signIn(next.url))(contacts.list, { query: {} })).items).toHaveLength(20)
  } finally {
    clearInterval(again)
    silent.close()
  }
})

/** What a power cut leaves of a journal that the system had not written yet, seen from the next start of the machine. */
function losePower(): number {
  const folder = join(dataDir, 'journal')
  const journals = readdirSync(folder).filter((name) => name.endsWith('.journal'))
  for (const name of journals) {
    const [first = ''] = readFileSync(join(folder, name), 'utf8').split('\n')
    const owner = JSON.parse(first.slice('12345678 O '.length))
    const record = `O ${JSON.stringify({ ...owner, boot: 'the boot before' })}`
    writeFileSync(join(folder, name), `${crc32(record).toString(16).padStart(8, '0')} ${record}\n`)
    // The machine took a while to start. One of another machine that shares the folder would have been touched since.
    const earlier = new Date(Date.now() - 120_000)
    utimesSync(join(folder, name), earlier, earlier)
  }
  return journals.length
}

test('embedded database: after a power cut nobody gets two emails, and lost outcomes are unconfirmed', async () => {
  const sink = await startMailSink()
  const [COUNT, PER_SECOND] = [60, 20]
  try {
    const first = await begun({ SMTP_URL: sink.url })
    const api = await signIn(first.url)
    const [sender] = (await api(senders.list, { query: {} })).items
    await api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perSecond: PER_SECOND } } })
    const id = await sendTo(api, await uploadPeople(api, COUNT))
    await sink.waitForCount(15)
    await first.stop('SIGKILL')
    expect(losePower()).toBeGreaterThan(0)
    const second = await begun({ SMTP_URL: sink.url })
    const { state, counts } = await untilSent(await signIn(second.url), id, 120)
    expect([state, counts.sent + counts.unconfirmed]).toEqual(['sent', COUNT])
    expect(counts.unconfirmed).toBeGreaterThan(0)
    const got = sink.received.map(({ to }) => to[0])
    expect(new Set(got).size).toBe(got.length)
  } finally {
    await sink.stop()
  }
})

test('embedded database: a folder of the preview stays unchanged, and one line says so', async () => {
  // A folder of the preview has no database of ours yet.
  rmSync(dataDir, { recursive: true })
  execFileSync('mkdir', ['-p', join(dataDir, 'database')])
  writeFileSync(join(dataDir, 'database/PG_VERSION'), '17\n')
  const server = await begun({ LOG_LEVEL: 'warn' })
  expect(server.output().match(/npm run carry-over/g)).toHaveLength(1)
  expect(await server.stop()).toBe(0)
  expect(readFileSync(join(dataDir, 'database/PG_VERSION'), 'utf8')).toBe('17\n')
  expect(readdirSync(join(dataDir, 'database'))).toEqual(['PG_VERSION'])
})
