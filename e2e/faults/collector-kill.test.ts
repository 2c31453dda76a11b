import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { ApiClient } from '#contracts/client.ts'
import { type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { startSite } from '#server/crawler/testing.ts'
import { isLong } from '#server/testing/long.ts'
import { until } from '#server/testing/until.ts'
import { connectTo } from '../support/postgres-processes.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const SITES = 3
const PAGES = 24
const KILLS = isLong ? [8, 30, 52] : [8, 52]
/** Answered beyond the next mark, so that pages are read and stored at the kill. All else is in flight until then. */
const AHEAD = 9

async function crawlThat(api: ApiClient, id: string, reached: (job: CrawlJob) => boolean): Promise<CrawlJob> {
  let seen = ''
  const look = async () => {
    const job = await api(collector.get, { params: { id } })
    seen = `${job.state} at page ${job.pagesFetched}`
    return reached(job) && job
  }
  return until(look, () => `the crawl: ${seen}`)
}

/** The addresses of the pages that are stored as read, by the database itself. */
async function storedPages(dataDir: string): Promise<Set<string>> {
  const client = await connectTo(dataDir)
  const { rows } = await client.query<{ url: string }>("select url from crawl_pages where state = 'fetched'")
  await client.end()
  return new Set(rows.map(({ url }) => url))
}

/** Lets the sites answer no more than so many pages together; a page that was answered once is answered again. */
class Gate {
  limit = (KILLS[0] ?? 0) + AHEAD
  readonly #answered = new Set<string>()

  lets(page: string): boolean {
    if (this.#answered.size < this.limit) this.#answered.add(page)
    return this.#answered.has(page)
  }
}

/** A site whose first page leads to all the others, each with an address of its own. What the gate holds gets no answer. */
function buildSite(number: number, gate: Gate) {
  const link = (n: number) => `<a href="/page/${n}">about topic ${n * 7}</a>`
  const text = (n: number) => `<title>Page ${n}</title><p>Words of page ${n}: person${n}@site${number}-test.de</p>`
  const links = Array.from({ length: PAGES }, (_, n) => link(n)).join(' ')
  const answer = (n: number) => (_: IncomingMessage, response: ServerResponse) => {
    if (gate.lets(`${number}/${n}`)) response.setHeader('content-type', 'text/html; charset=utf-8').end(text(n))
  }
  const pages = Array.from({ length: PAGES }, (_, n) => [`/page/${n}`, answer(n)])
  return startSite({ '/': `<title>Home</title>${links}`, '/robots.txt': '', ...Object.fromEntries(pages) })
}

test('crawl: after kills with SIGKILL no stored page is requested again and none is missing', async () => {
  const dataDir = newDataFolder('collector')
  const gate = new Gate()
  const sites = await Promise.all(Array.from({ length: SITES }, (_, i) => buildSite(i, gate)))
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    SMTP_URL: 'smtp://127.0.0.1:1',
    COLLECTOR_ALLOW_PRIVATE: sites.map(({ host }) => host).join(','),
    DNS_SERVERS: '127.0.0.1:9',
  }
  let server = startServer(environment)
  const kills: { at: number; stored: Set<string> }[] = []
  try {
    await server.ready
    let api = await signIn(server.url)
    const urls = sites.map(({ url }) => `${url}/`)
    const { id } = await api(collector.create, { body: { kind: 'email', urls } })
    for (const [n, mark] of KILLS.entries()) {
      const job = await crawlThat(api, id, ({ pagesFetched }) => pagesFetched >= mark)
      expect(job.state).toBe('running')
      const stored = await storedPages(dataDir)
      expect(stored.size).toBeGreaterThanOrEqual(mark)
      kills.push({ at: performance.now(), stored })
      await server.stop('SIGKILL')
      gate.limit = (KILLS[n + 1] ?? Number.POSITIVE_INFINITY) + AHEAD
      server = startServer(environment)
      await server.ready
      api = await signIn(server.url)
    }
    const job = await crawlThat(api, id, ({ state }) => state === 'done' || state === 'failed')
    const all = SITES * (PAGES + 1)
    expect(job).toMatchObject({ state: 'done', pagesFetched: all, pagesQueued: 0, found: SITES * PAGES })
    const { items } = await api(collector.results, { params: { id }, query: { limit: 1_000 } })
    expect(new Set(items.map(({ value }) => value)).size).toBe(SITES * PAGES)
    for (const { url, log } of sites) {
      const pages = log.filter(({ path }) => path === '/' || path.startsWith('/page/'))
      const again = pages.filter(({ path, from }) =>
        kills.some(({ at, stored }) => from > at && stored.has(`${url}${path}`)),
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
