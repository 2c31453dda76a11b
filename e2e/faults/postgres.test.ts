import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { senders } from '#contracts/senders/senders.ts'
import { testDatabase } from '#server/testing/database.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

// So slow a sender that the kill falls amid the sending.
const [COUNT, MARK, PER_SECOND] = isLong ? [5_000, 1_500, null] : [900, 300, 150]
const CONNECTIONS = 4
const CONFIRMATIONS = 24

test("campaign: two workers on PostgreSQL share the sender's limits among campaign and confirmations, also after one is killed", async () => {
  const sink = await startMailSink()
  const postgres = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-workers-'))
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    SMTP_URL: sink.url,
    SECRET_KEY: 'a secret key of more than thirty-two characters',
  }
  const start = async (role: string) => {
    const server = startServer({ ...environment, ROLE: role, PORT: String(await freePort()) })
    await server.ready
    return server
  }
  const servers = [await start('web')]
  try {
    const [web] = servers
    const first = await start('worker')
    servers.push(first, await start('worker'))
    const api = await signIn(web?.url ?? '')
    const [sender] = (await api(senders.list, { query: {} })).items
    await api(senders.update, {
      params: { id: sender?.id ?? '' },
      body: { limits: { connections: CONNECTIONS, perSecond: PER_SECOND } },
    })
    const double = await api(lists.create, { body: { name: 'Garden news', optin: 'double' } })
    const people = await uploadPeople(api, COUNT)
    const begun = performance.now()
    const id = await sendTo(api, people)
    const asked = Array.from({ length: CONFIRMATIONS }, (_, n) => `asked${n}@example.org`)
    await Promise.all(asked.map((email) => api(contacts.create, { body: { email, lists: [double.id] } })))
    await sink.waitForCount(MARK)
    expect(await first.stop('SIGKILL')).toBe('SIGKILL')
    servers.splice(servers.indexOf(first), 1, await start('worker'))
    const { state, counts } = await untilSent(api, id, 120)
    expect(state).toBe('sent')
    expect(counts.sent + counts.unconfirmed).toBe(COUNT)
    // Of those that the killed worker had, nobody knows whether they left.
    const confirmations = () => sink.received.filter(({ to }) => to[0]?.startsWith('asked')).length
    await until(async () => confirmations() >= CONFIRMATIONS - CONNECTIONS, 'the confirmations')
    const times = sink.received.map(({ at }) => at).toSorted((a, b) => a - b)
    if (PER_SECOND !== null)
      expect(times.filter((at, n) => at < begun + 1_000 * Math.floor(n / PER_SECOND))).toEqual([])
    expect(counts.unconfirmed).toBeLessThanOrEqual(CONNECTIONS)
    expect(new Set(sink.received.map((mail) => mail.to[0])).size).toBe(sink.received.length)
    // Of both workers together, and of the one that came for the killed one.
    expect(sink.mostConnections()).toBeLessThanOrEqual(CONNECTIONS)
    expect(sink.received.length).toBeGreaterThanOrEqual(counts.sent)
    const { items } = await api(campaigns.messages, { params: { id }, query: { state: 'unconfirmed' } })
    expect(items).toHaveLength(counts.unconfirmed)
    const health = await fetch(`${servers[1]?.url}/readyz`)
    const api404 = await fetch(`${servers[1]?.url}/api/campaigns`)
    expect([health.status, api404.status]).toEqual([200, 404])
  } finally {
    const ends = await Promise.all(servers.map((server) => server.stop('SIGTERM')))
    await postgres.drop()
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    expect(ends).toEqual([0, 0, 0])
  }
}, 600_000)
