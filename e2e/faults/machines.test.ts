import { rmSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { FIRST_ADMIN, testDatabase } from '#server/testing/database.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { startCitus } from '../support/debian-postgres.ts'
import { KEY, machines } from '../support/machines.ts'
import { POOLED, startPgBouncer } from '../support/pgbouncer.ts'
import { sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { connectApi, freePort, signIn, startServer } from '../support/server-process.ts'

// Two workers need half a minute for them, so that the kill falls amid the sending.
const [COUNT, MARK, PER_SECOND] = [3_000, 600, 100]
const CONNECTIONS = 6

/** How many messages were sent, by each event of the live stream of a campaign at one web process, until the stream ends. */
async function watchCampaign(url: string, token: string, id: string): Promise<number[]> {
  const response = await fetch(`${url}/api/campaigns/${id}/live`, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).counts.sent as number)
}

/** Signs up at one web process and confirms the address at another. Returns the session's token. */
async function signUpAcross(first: string, second: string, sink: Awaited<ReturnType<typeof startMailSink>>) {
  const email = 'ada@example.net'
  await connectApi(first)(accounts.signup, { body: { name: 'Ada', email, password: 'eleven larks at the lake' } })
  const { text = '' } = await sink.mailTo(email)
  const link = /token=([\w-]+)/.exec(text)?.[1] ?? ''
  return connectApi(second)(accounts.verifyEmail, { body: { token: link } })
}

/** `amid`: what happens while it sends, from the moment a worker is lost on. */
async function sendAcross(
  databaseUrl: string,
  environment: Record<string, string>,
  amid: (database: pg.Client) => Promise<unknown> = async () => undefined,
) {
  const sink = await startMailSink()
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const count = async (query: string) => Number((await database.query(`select count(*) as n from ${query}`)).rows[0].n)
  const fleet = machines({ ...environment, SMTP_URL: sink.url })
  try {
    const [first, second] = [await fleet.start('web'), await fleet.start('web')]
    const [lost, other] = [await fleet.start('worker'), await fleet.start('worker')]
    expect((await signUpAcross(first.server.url, second.server.url, sink)).token).toBeTruthy()

    const api = await signIn(first.server.url)
    const { token } = await connectApi(second.server.url)(accounts.login, {
      body: { email: 'admin@example.com', password: 'the first admin phrase' },
    })
    const apiOfSecond = connectApi(second.server.url, token)
    const [sender] = (await api(senders.list, { query: {} })).items
    const limits = { connections: CONNECTIONS, perSecond: PER_SECOND }
    await api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits } })
    const listId = await uploadPeople(api, COUNT)
    expect(await count('import_files')).toBe(0)
    sink.empty()
    const id = await sendTo(apiOfSecond, listId)
    const watching = Promise.all([first, second].map(({ server }) => watchCampaign(server.url, token, id)))
    await sink.waitForCount(MARK)
    await until(
      async () => (await count('(select distinct worker from claims) w')) === 2,
      'both workers at work',
      30,
      20,
    )
    await lost.server.stop('SIGKILL')
    // Its machine never comes back.
    rmSync(lost.dataDir, { recursive: true, force: true, maxRetries: 20 })
    const happening = amid(database)
    const isOfLost = `worker like '%:${lost.server.pid}:%'`

    // Nothing but what it held is delayed: neither for its lease nor for its shares of the sender.
    await until(
      async () =>
        (await count(`messages where state in ('queued', 'deferred')`)) === 0 &&
        (await count(`claims where not ${isOfLost}`)) === 0,
      'the end of what the other worker can send',
      120,
    )
    await happening
    const open = await count(`messages where state = 'claimed'`)
    expect(await apiOfSecond(campaigns.get, { params: { id } })).toMatchObject({
      state: 'sending',
      counts: { sent: COUNT - open },
    })
    // Two leases later.
    await database.query(`update claims set alive_at = now() - interval '2 minutes' where ${isOfLost}`)
    const { state, counts } = await untilSent(apiOfSecond, id, 60)
    expect({ state, ...counts }).toMatchObject({ state: 'sent', sent: COUNT - open, unconfirmed: open, queued: 0 })
    const people = sink.received.map((mail) => mail.to[0])
    expect(people.length - new Set(people).size).toBe(0)
    expect(people.length).toBeGreaterThanOrEqual(COUNT - open)
    expect(people.length).toBeLessThanOrEqual(COUNT)
    for (const seen of await watching) {
      expect(new Set(seen).size).toBeGreaterThan(5)
      expect(seen.at(-1)).toBe(COUNT - open)
    }
    const backends = await count('pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
    expect(await other.server.stop()).toBe(0)
    return { open, backends }
  } finally {
    const codes = await fleet.stop()
    await database.end()
    await sink.stop()
    expect(codes.filter((code) => code !== 0)).toEqual(['SIGKILL'])
  }
}

test.skipIf(!isLong)(
  'machines: two webs and two workers without a shared disk send each message once',
  async () => {
    const postgres = await testDatabase()
    try {
      const { open } = await sendAcross(postgres.url, { DATABASE_URL: postgres.url })
      console.log(`${open} of ${COUNT} messages were in the hands of the lost worker`)
      const DATABASE_URL = postgres.url
      const stranger = startServer({
        DATABASE_URL,
        SECRET_KEY: `${KEY}!`,
        DATA_DIR: '/tmp/postlark-none',
        PORT: String(await freePort()),
      })
      await expect(stranger.ready).rejects.toThrow('SECRET_KEY is not the key of this database')
    } finally {
      await postgres.drop()
    }
  },
  600_000,
)

test.skipIf(!isLong)(
  'machines: the same through PgBouncer in transaction mode, with a direct URL',
  async ({ skip }) => {
    const postgres = await testDatabase()
    const bouncer = await startPgBouncer(postgres.url)
    try {
      if (typeof bouncer === 'string') return skip(bouncer)
      const { backends } = await sendAcross(postgres.url, {
        DATABASE_URL: bouncer.url,
        DATABASE_DIRECT_URL: postgres.url,
      })
      // The pool, and the connections that listen: one of the worker that is left, with one that may be closing.
      expect(backends).toBeLessThanOrEqual(POOLED + 4)
    } finally {
      if (typeof bouncer !== 'string') await bouncer.stop()
      await postgres.drop()
    }
  },
  600_000,
)

test.skipIf(!isLong)(
  'machines: the same on tables spread by Citus, while a node joins and shards are moved to it',
  async ({ skip }) => {
    const citus = await startCitus(2)
    if (typeof citus === 'string') return skip(citus)
    try {
      const [first, second] = citus.ports
      await citus.addNode(first)
      await citus.migrate(KEY)
      const environment = {
        DATABASE_URL: citus.url,
        DATABASE_BACKEND: 'citus',
        ADMIN_EMAIL: FIRST_ADMIN.email,
        ADMIN_PASSWORD: FIRST_ADMIN.password,
      }
      await sendAcross(citus.url, environment, async (database) => {
        await citus.addNode(second)
        const moved = await database.query(
          `select rebalance_table_shards('messages', shard_transfer_mode => 'force_logical')`,
        )
        expect(moved.rowCount).toBe(1)
        const { rows } = await database.query(
          `select count(distinct nodeport)::int as n from citus_shards where table_name = 'messages'::regclass`,
        )
        expect(rows).toEqual([{ n: 2 }])
      })
    } finally {
      await citus.stop()
    }
  },
  600_000,
)
