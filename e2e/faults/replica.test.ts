import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { ApiClient } from '#contracts/client.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { isLong } from '#server/testing/long.ts'
import { until } from '#server/testing/until.ts'
import { startReplicated } from '../support/debian-postgres.ts'
import { KEY } from '../support/machines.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

/** What the doctor says of the read replica. */
function askDoctor(environment: Record<string, string>): Promise<{ state: string; text: string } | undefined> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['scripts/doctor.ts', '--json'],
      { env: { PATH: process.env.PATH, ...environment } },
      (error, output) => {
        if (!output) return reject(error)
        const { checks } = JSON.parse(output) as { checks: { name: string; state: string; text: string }[] }
        resolve(checks.find(({ name }) => name === 'Read replica'))
      },
    )
  })
}

const listed = async (api: ApiClient) => (await api(contacts.list, { query: {} })).items.map(({ email }) => email)
const exported = async (api: ApiClient) => (await api(contacts.export, { query: {} })).text()

test.skipIf(!isLong)(
  'read replica: it is read while it is close behind, and never older than what its reader wrote',
  async ({ skip }) => {
    const postgres = await startReplicated()
    if (typeof postgres === 'string') return skip(postgres)
    const { primary, replica } = postgres
    const dataDir = mkdtempSync(join(tmpdir(), 'postlark-replica-'))
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: replica.url,
      SECRET_KEY: KEY,
      SMTP_URL: 'smtp://127.0.0.1:1',
      LOG_LEVEL: 'info',
    }
    const start = async (ROLE: string) => {
      const server = startServer({ ...environment, ROLE, PORT: String(await freePort()) })
      await server.ready
      return server
    }
    const servers = [await start('web'), await start('web')]
    const [first, second] = servers
    const readsAgain = (times: number) =>
      until(
        async () => servers.every((server) => server.output().split('the read replica is read').length > times),
        () => `the replica read for the ${times}. time:\n${first?.output()}`,
        60,
        100,
      )
    const atPrimary = new pg.Client({ connectionString: primary.url })
    let atReplica = new pg.Client({ connectionString: replica.url })
    for (const client of [atPrimary, atReplica]) {
      client.on('error', () => undefined)
      await client.connect()
    }
    try {
      await readsAgain(1)
      const [writer, reader] = [await signIn(first?.url ?? ''), await signIn(first?.url ?? '')]
      // The session at the other web process.
      const writerElsewhere = await signIn(second?.url ?? '')
      await writer(contacts.create, { body: { email: 'first@example.com' } })
      expect(await listed(writer)).toEqual(['first@example.com'])
      await until(async () => (await listed(reader)).length === 1, 'the replica has the first contact')
      expect(await askDoctor(environment)).toMatchObject({ state: 'ok' })

      // Replay stands still: who wrote reads the primary, others the replica, until that is too far behind.
      await atReplica.query('select pg_wal_replay_pause()')
      await writer(contacts.create, { body: { email: 'second@example.com' } })
      await writerElsewhere(contacts.create, { body: { email: 'third@example.com' } })
      const [own, others] = [await listed(writer), await listed(reader)]
      expect([own.length, others.length]).toEqual([3, 1])
      expect(await exported(writerElsewhere)).toContain('second@example.com')
      expect((await exported(writer)).trim().split('\n')).toHaveLength(4)
      await until(async () => (await listed(reader)).length === 3, 'the primary is read for everybody', 30, 100)
      expect(await askDoctor(environment)).toMatchObject({ state: 'warning', text: expect.stringContaining('behind') })
      await atReplica.query('select pg_wal_replay_resume()')
      await readsAgain(2)

      // It crashes: no request fails, neither the first that notices nor those after it.
      await replica.stop()
      for (let i = 0; i < 5; i++) expect(await listed(reader)).toHaveLength(3)
      expect(await askDoctor(environment)).toMatchObject({
        state: 'warning',
        text: expect.stringContaining('cannot be used'),
      })
      await replica.start()
      await readsAgain(3)
      atReplica = new pg.Client({ connectionString: replica.url })
      await atReplica.connect()
      await atPrimary.query("delete from contacts where email = 'first@example.com'")
      await until(async () => (await listed(reader)).length === 2, 'the replica follows')
      // A standby that was promoted is a database of its own.
      await atReplica.query('select pg_promote()')
      await until(
        async () => servers.every((server) => server.output().includes('is not a replica of this database')),
        'the promotion is noticed',
      )
      expect(await listed(reader)).toHaveLength(2)
    } finally {
      const ends = await Promise.all(servers.map((server) => server.stop()))
      for (const client of [atPrimary, atReplica]) await client.end().catch(() => undefined)
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
      expect(ends).toEqual([0, 0])
    }
  },
  600_000,
)
