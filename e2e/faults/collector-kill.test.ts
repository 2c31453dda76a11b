import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ApiClient } from '#contracts/client.ts'
import { type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { startSite } from '#server/crawler/testing.ts'
import { until } from '#server/testing/until.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const SITES = 3
const PAGES = 24
const KILLS = [8, 30, 52]
/** A page read this long before the end of a process is stored by then. */
const STORED_WITHIN_MS = 4_000

async function crawlThat(api: ApiClient, id: string, reached: (job: CrawlJob) => boolean): Promise<CrawlJob> {
  let seen = ''
  const look = async () => {
    const job = await api(collector.get, { params: { id } })
    seen = `${job.state} at page ${job.pagesFetched}`
    return reached(job) && job
  }
  return until(look, () => `the crawl: ${seen}`, 90)
}

/** A site whose first page leads to all the others, each with an address of its own. */
function buildSite(number: number) {
  const link = (n: number) => `<a href="/page/${n}">about topic ${n * 7}</a>`
  const text = (n: number) => `<title>Page ${n}</title><p>Words of page ${n}: person${n}@site${number}-test.de</p>`
  const links = Array.from({ length: PAGES }, (_, n) => link(n)).join(' ')
  const pages = Array.from({ length: PAGES }, (_, n) => [`/page/${n}`, text(n)])
  return startSite({ '/': `<title>Home</title>${links}`, '/robots.txt': '', ...Object.fromEntries(pages) })
}

test('crawl: after three kills with SIGKILL no stored page is requested again and none is missing', async () => {
  const dataDir = newDataFolder('collector')
  const sites = await Promise.all(Array.from({ length: SITES }, (_, i) => buildSite(i)))
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    SMTP_URL: 'smtp://127.0.0.1:1',
    COLLECTOR_ALLOW_PRIVATE: sites.map(({ host }) => host).join(','),
    DNS_SERVERS: '127.0.0.1:9',
  }
  let server = startServer(environment)
  const kills: number[] = []
  try {
    await server.ready
    let api = await signIn(server.url)
    const urls = sites.map(({ url }) => `${url}/`)
    const { id } = await api(collector.create, { body: { kind: 'email', urls } })
    for (const mark of KILLS) {
      const job = await crawlThat(api, id, ({ pagesFetched }) => pagesFetched >= mark)
      expect(job.state).toBe('running')
      kills.push(performance.now())
      await server.stop('SIGKILL')
      server = startServer(environment)
      await server.ready
      api = await signIn(server.url)
    }
    const job = await crawlThat(api, id, ({ state }) => state === 'done' || state === 'failed')
    const all = SITES * (PAGES + 1)
    expect(job).toMatchObject({ state: 'done', pagesFetched: all, pagesQueued: 0, found: SITES * PAGES })
    const { items } = await api(collector.results, { params: { id }, query: { limit: 1_000 } })
    expect(new Set(items.map(({ value }) => value)).size).toBe(SITES * PAGES)
    for (const { log } of sites) {
      const pages = log.filter(({ path }) => path === '/' || path.startsWith('/page/'))
      const again = pages.filter(({ path, from }) =>
        pages.some(
          (before) => before.path === path && kills.some((kill) => before.to < kill - STORED_WITHIN_MS && from > kill),
        ),
      )
      expect(again.map(({ path }) => path)).toEqual([])
      // What was in flight or just read when a process ended.
      expect(pages.length - (PAGES + 1)).toBeLessThanOrEqual(KILLS.length * 5)
    }
  } finally {
    await server.stop('SIGKILL')
    for (const site of sites) site.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
})
