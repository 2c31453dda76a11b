import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { senders } from '#contracts/senders/senders.ts'
import { testDatabase } from '#server/testing/database.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const COUNT = 240
const CONNECTIONS = 3
// Processes in different containers cannot see whether the other one runs.
const CONTAINER = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--']

/** The process in a container, as it is called outside. */
const inside = (pid: number) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

// A lease runs for 45 seconds.
test.skipIf(process.getuid?.() !== 0 || !isLong)(
  'sending worker: one that slept past its lease sends no message that another one took over',
  async () => {
    const sink = await startMailSink()
    const postgres = await testDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'postlark-sleep-'))
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      SMTP_URL: sink.url,
      SECRET_KEY: 'a secret key of more than thirty-two characters',
    }
    const start = async (role: string, prefix: string[] = []) => {
      const server = startServer({ ...environment, ROLE: role, PORT: String(await freePort()) }, { prefix })
      await server.ready
      return server
    }
    const servers = [await start('web')]
    const database = new pg.Client({ connectionString: postgres.url })
    await database.connect()
    /** Whom the workers have in hand. */
    const inHand = async () => {
      const { rows } = await database.query<{ address: string }>("select address from messages where state = 'claimed'")
      return new Set(rows.map(({ address }) => address))
    }
    try {
      const sleeper = await start('worker', CONTAINER)
      servers.push(sleeper)
      const api = await signIn(servers[0]?.url ?? '')
      const listId = await uploadPeople(api, COUNT)
      const [sender] = (await api(senders.list, { query: {} })).items
      await api(senders.update, {
        params: { id: sender?.id ?? '' },
        body: { limits: { perSecond: 20, connections: CONNECTIONS } },
      })
      const id = await sendTo(api, listId)
      await sink.waitForCount(30)
      const pid = inside(sleeper.pid)
      process.kill(pid, 'SIGSTOP')
      const ofSleeper = await inHand()
      expect(ofSleeper.size).toBeGreaterThan(20)
      // What leaves while it sleeps is of the other one: first what is in the queue, then what it took over.
      const asleep = sink.received.length
      const other = await start('worker', CONTAINER)
      servers.push(other)
      await until(
        async () => sink.received.slice(asleep).some(({ to }) => ofSleeper.has(to[0] ?? '')),
        'an email the other worker took over',
        120,
        10,
      )
      process.kill(pid, 'SIGCONT')
      const { state, counts } = await untilSent(api, id, 120)
      expect(state).toBe('sent')
      // Before it ends, it is done with what it has in hand.
      process.kill(pid, 'SIGTERM')
      expect(await sleeper.exited).toBe(0)
      const people = sink.received.map((mail) => mail.to[0])
      expect(people.length - new Set(people).size).toBe(0)
      expect(counts.sent + counts.unconfirmed).toBe(COUNT)
      expect(counts.unconfirmed).toBeLessThanOrEqual(CONNECTIONS)
    } finally {
      await database.end()
      await Promise.all(servers.map((server) => server.stop('SIGKILL')))
      await postgres.drop()
      await sink.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    }
  },
)
