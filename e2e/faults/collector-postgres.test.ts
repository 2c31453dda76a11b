import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { collector } from '#contracts/collector/collector.ts'
import { startSite } from '#server/crawler/testing.ts'
import { testDatabase } from '#server/testing/database.ts'
import { isLong } from '#server/testing/long.ts'
import { until } from '#server/testing/until.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const PAGES = isLong ? 60 : 25

function buildSite(number: number) {
  const link = (n: number) => `<a href="/page/${n}">about topic ${n * 7}</a>`
  const text = (n: number) => `<title>Page ${n}</title><p>Words of page ${n}: person${n}@site${number}-test.de</p>`
  const pages = Array.from({ length: PAGES }, (_, n) => [`/page/${n}`, text(n)])
  const home = `<title>Home</title>${Array.from({ length: PAGES }, (_, n) => link(n)).join(' ')}`
  return startSite({ '/': home, '/robots.txt': '', ...Object.fromEntries(pages) })
}

test("crawl: workers on PostgreSQL share a site's pace and continue the job of a killed or stopped one", async () => {
  const postgres = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-collectors-'))
  const sites = [await buildSite(0), await buildSite(1)] as const
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    SMTP_URL: 'smtp://127.0.0.1:1',
    SECRET_KEY: 'a secret key of more than thirty-two characters',
    COLLECTOR_ALLOW_PRIVATE: sites.map(({ host }) => host).join(','),
    DNS_SERVERS: '127.0.0.1:9',
  }
  const start = async (role: string) => {
    const server = startServer({ ...environment, ROLE: role, PORT: String(await freePort()) })
    await server.ready
    return server
  }
  const servers = [await start('web')]
  servers.push(...(await Promise.all(['worker', 'worker', 'worker'].map(start))))
  const database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  const parsePid = (worker: unknown) => Number(String(worker).split(':')[1])
  /** The process that has the first job. */
  const holder = async () => {
    const { rows } = await database.query(
      'select worker from crawl_jobs where leased_until > now() order by id limit 1',
    )
    return servers.find((server) => server.pid === parsePid(rows[0]?.worker))
  }
  /** The processes that have a job, or had one that was not released. */
  const holders = async () => {
    const { rows } = await database.query('select worker from crawl_jobs where worker is not null')
    return rows.map(({ worker }) => parsePid(worker))
  }
  try {
    const api = await signIn(servers[0]?.url ?? '')
    const begin = async (url: string) => (await api(collector.create, { body: { kind: 'email', urls: [url] } })).id
    const ids = [await begin(`${sites[0].url}/`), await begin(`${sites[1].url}/`), await begin(`${sites[0].url}/`)]
    const jobs = () => Promise.all(ids.map((id) => api(collector.get, { params: { id } })))
    const untilTrue = (isReached: () => Promise<boolean>) => {
      let seen = ''
      const look = async () => {
        seen = JSON.stringify(await jobs())
        return isReached()
      }
      return until(look, () => seen, 90)
    }
    /** Ends the process that crawls the first job, and waits until another one has it. */
    const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
      const from = (await jobs())[0]?.pagesFetched ?? 0
      await untilTrue(async () => ((await jobs())[0]?.pagesFetched ?? 0) >= from + 5)
      const server = await holder()
      expect(await server?.stop(signal)).toBe(signal === 'SIGKILL' ? signal : 0)
      // A stopped process lets its jobs go; those of a killed one wait until its lease runs out.
      if (signal === 'SIGTERM') expect(await holders()).not.toContain(server?.pid)
      await untilTrue(async () => ![undefined, server].includes(await holder()))
    }

    await end('SIGKILL')
    await end('SIGTERM')
    await untilTrue(async () => (await jobs()).every(({ state }) => state === 'done'))
    for (const job of await jobs()) expect(job).toMatchObject({ pagesFetched: PAGES + 1, found: PAGES, pagesQueued: 0 })
    for (const site of sites) {
      expect(site.mostAtOnce()).toBeLessThanOrEqual(2)
      expect(site.mostInASecond()).toBeLessThanOrEqual(5)
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop('SIGTERM')))
    await database.end()
    await postgres.drop()
    for (const site of sites) site.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 600_000)
