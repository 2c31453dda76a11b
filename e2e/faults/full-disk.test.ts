/** The embedded PostgreSQL on a disk that is full. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { until } from '#server/testing/until.ts'
import { untilEmpty, untilReady } from '../support/postgres-processes.ts'
import { fillDataFolder, newDataFolder } from '../support/prepared-folder.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const isRoot = process.getuid?.() === 0

test.skipIf(!isRoot)(
  'embedded database: a full disk is reported in health, and the server continues when there is room',
  async () => {
    const dataDir = newDataFolder('full-disk')
    const servers: ReturnType<typeof startServer>[] = []
    const begun = async () => {
      const server = startServer({ DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: 'smtp://127.0.0.1:1' })
      servers.push(server)
      await server.ready
      return server
    }
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', dataDir])
    fillDataFolder(dataDir)
    try {
      const server = await begun()
      const api = await signIn(server.url)
      let [tried, acknowledged] = [0, 0]
      const addUntilRefused = async () => {
        for (;;) {
          try {
            const email = `person${++tried}@example.com`
            await api(contacts.create, { body: { email, attributes: bulk() } })
            acknowledged++
          } catch (error) {
            return error as { status: number; message: string }
          }
        }
      }
      /** Every acknowledged contact is there; of one whose answer was cut off nobody knows. */
      const expectAll = async (client: typeof api) => {
        const { total = 0 } = await client(contacts.list, { query: { limit: 1 } })
        expect(total).toBeGreaterThanOrEqual(acknowledged)
        expect(total).toBeLessThanOrEqual(tried)
      }
      const filler = join(dataDir, 'filler')
      fill(filler, 6)
      /** Adds until the log needs another file, and there is none. A database that starts again may find room: it removes what is old of its log. */
      const addUntilFull = async () => {
        for (;;) {
          const refused = await addUntilRefused()
          expect(refused.status, refused.message).toBe(503)
          const health = await until(async () => {
            const answer = await fetch(`${server.url}/healthz`)
            return (answer.status !== 200 || (await fetch(`${server.url}/readyz`)).status === 200) && answer
          }, 'a health that is not good, or room')
          if (health.status !== 200) return health
        }
      }
      const health = await addUntilFull()
      expect([health.status, (await health.json()).message]).toEqual([503, expect.stringContaining('is full')])
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503)

      rmSync(filler)
      await untilReady(server.url)
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
      await expectAll(api)

      // The same once more, and stopped meanwhile.
      fill(filler, 0)
      await addUntilRefused()
      expect(await server.stop('SIGTERM')).toBe(0)
      // All that works on the database says once a minute that it is away, not each time it asks.
      expect(server.output().match(/"level":50/g)?.length).toBeLessThan(60)
      rmSync(filler)
      const next = await begun()
      await expectAll(await signIn(next.url))
      expect(await next.stop()).toBe(0)
    } finally {
      await Promise.all(servers.map((server) => server.stop('SIGKILL')))
      await untilEmpty(dataDir)
      execFileSync('umount', ['-l', dataDir])
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)

/** 15 kB that cannot be compressed: a contact with them fills the log soon. */
const bulk = () => Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, randomBytes(2_800).toString('base64')]))

/** Fills the disk with a file until only so many megabytes are left. What the database takes at the same moment is measured anew. */
function fill(path: string, leaveMegabytes: number, tries = 20): void {
  const free = Number(execFileSync('stat', ['-f', '-c', '%a', dirname(path)], { encoding: 'utf8' })) * 4096
  try {
    execFileSync('fallocate', ['-l', String(Math.max(1, free - leaveMegabytes * 1024 * 1024)), path])
  } catch (error) {
    if (tries === 0) throw error
    rmSync(path, { force: true })
    fill(path, leaveMegabytes, tries - 1)
  }
}
