/** What happens around the product while it sends: its database moves, its network is cut, the clock jumps, mail servers misbehave. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ApiClient } from '#contracts/client.ts'
import { senders } from '#contracts/senders/senders.ts'
import { scriptedServer } from '#server/engine/smtp/mail-server.fixture.ts'
import { testDatabase } from '#server/testing/database.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { startReplicated } from '../support/debian-postgres.ts'
import { startForwarder } from '../support/forwarder.ts'
import { seededRandom } from '../support/random.ts'
import { recipientAddress, sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const isRoot = process.getuid?.() === 0
const CONNECTIONS = 4

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const url = ({ host, port }: { host: string; port: number }) => `postgres://postgres@${host}:${port}/postgres`

/** A primary and a replica; skips the test where the machine has no PostgreSQL of its own. */
async function replicated(skip: (note: string) => never, options: Parameters<typeof startReplicated>[0]) {
  const started = await startReplicated(options)
  if (typeof started === 'string') return skip(started)
  cleanups.push(() => started.stop())
  return started
}

async function mailSink() {
  const sink = await startMailSink()
  cleanups.push(() => sink.stop())
  return sink
}

/** A process of the product, with a data folder of its own. */
async function start(role: string, environment: Record<string, string>, prefix: string[] = []) {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-outage-'))
  const server = startServer(
    {
      DATA_DIR: dataDir,
      SECRET_KEY: 'a secret key of more than thirty-two characters',
      ROLE: role,
      PORT: String(await freePort()),
      ...environment,
    },
    { prefix },
  )
  cleanups.push(async () => {
    await server.stop('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  })
  await server.ready
  return server
}

/** Sends to `count` people at `perSecond`. Returns the campaign's id. */
async function launch(api: ApiClient, count: number, perSecond: number): Promise<string> {
  const [sender] = (await api(senders.list, { query: {} })).items
  await api(senders.update, {
    params: { id: sender?.id ?? '' },
    body: { limits: { perSecond, connections: CONNECTIONS } },
  })
  return sendTo(api, await uploadPeople(api, count))
}

/** Nobody got two emails, and who got none is unconfirmed. Returns the counts. */
async function expectExact(api: ApiClient, id: string, count: number, got: string[], seconds = 300) {
  const { state, counts } = await untilSent(api, id, seconds)
  expect([state, counts.sent + counts.unconfirmed]).toEqual(['sent', count])
  expect(got.length - new Set(got).size).toBe(0)
  const { items } = await api(campaigns.messages, { params: { id }, query: { state: 'unconfirmed', limit: 200 } })
  expect(items).toHaveLength(counts.unconfirmed)
  const known = new Set([...got, ...items.map(({ address }) => address)])
  const missing = Array.from({ length: count }, (_, i) => recipientAddress(i + 1)).filter((one) => !known.has(one))
  expect(missing).toEqual([])
  return counts
}

test.skipIf(!isLong)(
  'outage: the database is restarted and then switched over to its standby, and each gets one email',
  async ({ skip }) => {
    const COUNT = 3_000
    const sink = await mailSink()
    const { primary, replica } = await replicated(skip, { isSynchronous: true })
    const address = await startForwarder(primary)
    cleanups.push(() => address.stop())
    const environment = { DATABASE_URL: url(address), SMTP_URL: sink.url }
    const web = await start('web', environment)
    await start('worker', environment)
    await start('worker', environment)
    const api = await signIn(web.url)
    const id = await launch(api, COUNT, 60)
    await sink.waitForCount(600, 120)
    await primary.stop()
    await primary.start()
    await sink.waitForCount(1_500, 120)
    await primary.stop()
    replica.promote()
    address.leadTo(replica)
    const got = () => sink.received.map(({ to }) => to[0] ?? '')
    await untilSent(api, id, 300)
    const counts = await expectExact(api, id, COUNT, got())
    // Only the database went away: what it did not hear is told to it afterwards.
    expect(counts.unconfirmed).toBe(0)
  },
  900_000,
)

/** A worker's network of its own, joined with ours by one cable. `host` is where it finds us. */
function createNetwork() {
  const [name, near, far] = [`plk${process.pid}`, `pn${process.pid}`, `pf${process.pid}`]
  const ip = (...given: string[]) => execFileSync('ip', given)
  const inside = ['ip', 'netns', 'exec', name]
  const prefix = `10.87.${process.pid % 250}`
  ip('netns', 'add', name)
  cleanups.push(() => ip('netns', 'del', name))
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name)
  ip('addr', 'add', `${prefix}.1/24`, 'dev', near)
  ip('link', 'set', near, 'up')
  ip('-n', name, 'addr', 'add', `${prefix}.2/24`, 'dev', far)
  ip('-n', name, 'link', 'set', far, 'up')
  ip('-n', name, 'link', 'set', 'lo', 'up')
  const nft = (...given: string[]) => execFileSync(inside[0] ?? '', [...inside.slice(1), 'nft', ...given])
  nft('add', 'table', 'inet', 'cut')
  nft('add', 'chain', 'inet', 'cut', 'out', '{ type filter hook output priority 0 ; }')
  nft('add', 'chain', 'inet', 'cut', 'in', '{ type filter hook input priority 0 ; }')
  return {
    inside,
    host: `${prefix}.1`,
    /** From now on packets to and from this port of ours are dropped, silently. */
    cut(port: number) {
      nft('add', 'rule', 'inet', 'cut', 'out', 'tcp', 'dport', String(port), 'drop')
      nft('add', 'rule', 'inet', 'cut', 'in', 'tcp', 'sport', String(port), 'drop')
    },
    join: () => nft('flush', 'table', 'inet', 'cut'),
  }
}

const hasFirewall = () => {
  try {
    execFileSync('nft', ['--version'])
    return true
  } catch {
    return false
  }
}

test.skipIf(!isLong || !isRoot || !hasFirewall())(
  'outage: a worker is cut off from the database for longer than its lease, and each gets one email',
  async ({ skip }) => {
    const COUNT = 2_000
    const sink = await mailSink()
    const network = createNetwork()
    const { primary: database } = await replicated(skip, { host: network.host })
    const mail = await startForwarder({ host: '127.0.0.1', port: sink.port }, network.host)
    cleanups.push(() => mail.stop())
    const environment = { DATABASE_URL: url(database), SMTP_URL: `smtp://${mail.host}:${mail.port}` }
    const web = await start('web', environment)
    await start('worker', environment, network.inside)
    const api = await signIn(web.url)
    const id = await launch(api, COUNT, 30)
    await sink.waitForCount(200, 120)
    network.cut(database.port)
    // It works alone as long as it surely has its lease. After that it must be still, for another one may take over.
    await wait(70_000)
    const still = sink.received.length
    await start('worker', environment)
    await sink.waitForCount(still + 100, 180)
    network.join()
    const got = () => sink.received.map(({ to }) => to[0] ?? '')
    await untilSent(api, id, 600)
    await expectExact(api, id, COUNT, got())
  },
  1_800_000,
)

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

test.skipIf(!isLong || !existsSync(FAKETIME))(
  'outage: the clock jumps three hours ahead and six hours back, and each gets one email at the same pace',
  async () => {
    const [COUNT, PER_SECOND] = [900, 30]
    const sink = await mailSink()
    const folder = mkdtempSync(join(tmpdir(), 'postlark-clock-'))
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
    const clock = join(folder, 'clock')
    writeFileSync(clock, '+0\n')
    const server = await start('all', {
      SMTP_URL: sink.url,
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    })
    const api = await signIn(server.url)
    const id = await launch(api, COUNT, PER_SECOND)
    await sink.waitForCount(200, 120)
    writeFileSync(clock, '+3h\n')
    await sink.waitForCount(450, 120)
    const isNow = Date.parse((await fetch(server.url)).headers.get('date') ?? '') - Date.now()
    expect(Math.round(isNow / 3_600_000)).toBe(3)
    writeFileSync(clock, '-3h\n')
    const got = () => sink.received.map(({ to }) => to[0] ?? '')
    await untilSent(api, id, 300)
    await expectExact(api, id, COUNT, got())
  },
  900_000,
)

test.skipIf(!isLong)(
  'outage: a mail server that greylists, throttles, resets, stalls and talks nonsense gets no message twice',
  async () => {
    const COUNT = 600
    const random = seededRandom()
    const chance = (perThousand: number) => random(0, 1_000) < perThousand
    /** Whom each session is being sent a message for. */
    const recipients = new Map<number, string>()
    const tried = new Set<string>()
    const [accepted, unanswered]: [string[], string[]] = [[], []]
    let silences = 0
    const server = await scriptedServer({
      reply(line, { number }) {
        if (line.startsWith('RCPT')) {
          const address = /<(.+)>/.exec(line)?.[1] ?? ''
          recipients.set(number, address)
          const isNew = !tried.has(address)
          tried.add(address)
          if (isNew && chance(300)) return '450 4.2.0 Greylisted, try again later'
          return chance(10) ? 'drop' : null
        }
        if (line === 'MAIL' || line.startsWith('MAIL FROM')) return chance(20) ? '421 4.3.2 Try again later' : null
        if (line === 'DATA') return chance(10) ? 'drop' : null
        if (line !== '.') return null
        const address = recipients.get(number) ?? ''
        const roll = random(0, 1_000)
        if (roll < 30) return '451 4.3.0 Try again later'
        if (roll < 60) {
          unanswered.push(address)
          return 'drop'
        }
        if (roll < 70) {
          unanswered.push(address)
          return '\u0000\u00ff no reply of SMTP'
        }
        if (roll < 75 && silences < 2) {
          silences++
          unanswered.push(address)
          return 'silent'
        }
        accepted.push(address)
        return null
      },
    })
    cleanups.push(() => server.close())
    const database = await testDatabase()
    cleanups.push(() => database.drop())
    const product = await start('all', { SMTP_URL: `smtp://127.0.0.1:${server.port}`, DATABASE_URL: database.url })
    const api = await signIn(product.url)
    const id = await launch(api, COUNT, 100)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    cleanups.push(() => client.end())
    // What was deferred waits for minutes. A person goes on with a campaign that the server's behavior paused.
    const { state, counts } = await until(
      async () => {
        await client.query("update messages set due_at = now() where state = 'deferred' and due_at > now()")
        const campaign = await api(campaigns.get, { params: { id } })
        if (campaign.state === 'paused') await api(campaigns.resume, { params: { id } })
        return ['sent', 'failed', 'stopped'].includes(campaign.state) && campaign
      },
      'the end of the sending',
      600,
      500,
    )
    expect(state).toBe('sent')
    console.log(`accepted ${accepted.length}, unanswered ${unanswered.length}, counts ${JSON.stringify(counts)}`)
    const given = [...accepted, ...unanswered]
    expect(given.length - new Set(given).size).toBe(0)
    expect([counts.sent, counts.unconfirmed]).toEqual([accepted.length, unanswered.length])
    expect(counts.sent + counts.unconfirmed + counts.failed + counts.bounced).toBe(COUNT)
  },
  1_200_000,
)
