import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { connectTo, findPostgres, untilGone, untilReady } from '../support/postgres-processes.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { seededRandom } from '../support/random.ts'
import { recipientAddress, sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

// So slow a sender that every kill falls amid the sending.
const [COUNT, TIMES, PER_SECOND] = isLong ? [5_000, 20, null] : [600, 3, 100]
const CONNECTIONS = 10
const random = seededRandom()
// Random moments, some of them while the server is still starting: a failure shows them.
const MARKS = Array.from({ length: TIMES }, () => random(50, COUNT - 50)).sort((a, b) => a - b)
const VICTIMS = ['server', 'postmaster', 'backend', 'everything'] as const
const FIRST_VICTIM = random(0, VICTIMS.length)
const KILLS = MARKS.map((mark, index) => ({
  mark,
  victim: VICTIMS[(FIRST_VICTIM + index) % VICTIMS.length] ?? 'server',
}))
// What is killed with the server process may be in flight; while only the database is away, its answer is waited for.
const SERVER_KILLS = KILLS.filter(({ victim }) => victim === 'server' || victim === 'everything').length

/** Kills one process of a running product, or all of them together, and waits until what that ends is gone. */
async function killOne(victim: (typeof VICTIMS)[number], dataDir: string, server: number): Promise<void> {
  const { postmaster, backends } = findPostgres(dataDir)
  const pids = {
    server: [server],
    postmaster: [postmaster],
    // Right after the end of another one there may be none.
    backend: [backends.at(Math.floor(Math.random() * backends.length)) ?? postmaster],
    everything: [server, postmaster, ...backends],
  }[victim]
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // PostgreSQL ends with its server, and may be quicker than this.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  await untilGone(backends)
}

test(`campaign: after ${TIMES} kills of server or database, everybody has one email or is unconfirmed`, async () => {
  const sink = await startMailSink()
  const dataDir = newDataFolder('kill')
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url }
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const [sender] = (await api(senders.list, { query: {} })).items
    await api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perSecond: PER_SECOND } } })
    const id = await sendTo(api, await uploadPeople(api, COUNT))
    for (const { mark, victim } of KILLS) {
      await sink.waitForCount(mark, 120)
      await killOne(victim, dataDir, server.pid)
      if (victim === 'server' || victim === 'everything') {
        await server.exited
        server = startServer(environment)
        await server.ready
        api = await signIn(server.url)
      } else await untilReady(server.url)
      const { counts } = await api(campaigns.get, { params: { id } })
      expect(
        counts.queued +
          counts.sent +
          counts.deferred +
          counts.failed +
          counts.bounced +
          counts.suppressed +
          counts.unconfirmed,
        `after the kill of ${victim} at ${mark} of ${MARKS}`,
      ).toBe(COUNT)
    }
    const { state, counts } = await untilSent(api, id, 120)
    expect(state).toBe('sent')
    expect(counts.sent + counts.unconfirmed).toBe(COUNT)
    expect(counts.unconfirmed).toBeLessThanOrEqual(CONNECTIONS * SERVER_KILLS)

    const copies = new Map<string, number>()
    for (const { to } of sink.received) for (const address of to) copies.set(address, (copies.get(address) ?? 0) + 1)
    expect([...copies].filter(([, count]) => count > 1)).toEqual([])
    const { items } = await api(campaigns.messages, { params: { id }, query: { state: 'unconfirmed', limit: 200 } })
    expect(items).toHaveLength(counts.unconfirmed)
    const unknown = new Set(items.map((item) => item.address))
    const missing = Array.from({ length: COUNT }, (_, i) => recipientAddress(i + 1)).filter(
      (address) => !copies.has(address),
    )
    expect(missing.filter((address) => !unknown.has(address))).toEqual([])
    expect(await server.stop('SIGTERM')).toBe(0)
    const each = VICTIMS.map((victim) => `${victim} ${KILLS.filter((kill) => kill.victim === victim).length}`).join(
      ', ',
    )
    console.log(`killed: ${each}; of ${COUNT} sent ${counts.sent}, unconfirmed ${counts.unconfirmed}, twice 0`)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 900_000)

test('campaign: a launch interrupted by a kill continues at the next start, and everybody gets one email', async () => {
  const sink = await startMailSink()
  const dataDir = newDataFolder('launch')
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url }
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const listId = await uploadPeople(api, 20)
    // Nobody can write recipients, so the launch is under way for as long as this connection lives.
    const blocker = await connectTo(dataDir)
    await blocker.query('begin')
    await blocker.query('lock table messages in share mode')
    const id = await sendTo(api, listId)
    const waits = () => blocker.query(`select from pg_locks where relation = 'messages'::regclass and not granted`)
    await until(async () => (await waits()).rowCount !== 0, 'a launch that waits for the lock')
    await killOne('server', dataDir, server.pid)
    await server.exited
    server = startServer(environment)
    await server.ready
    api = await signIn(server.url)
    const { state, counts } = await untilSent(api, id, 120)
    expect({ state, sent: counts.sent }).toEqual({ state: 'sent', sent: 20 })
    expect(new Set(sink.received.flatMap(({ to }) => to)).size).toBe(20)
    expect(sink.received).toHaveLength(20)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 600_000)
