/** For tests and benchmarks: a frontier in memory, and local sites that note what they were asked. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frontier, NewPage, PageOutcome, QueuedPage, SkipReason } from './crawl/types.ts'
import type { Finding } from './types.ts'

/** A frontier that forgets with its process. */
export class MemoryFrontier implements Frontier {
  readonly read = new Map<string, PageOutcome>()
  readonly skipped = new Map<string, { reason: SkipReason; text: string }>()
  readonly forgotten: string[] = []
  /** Times and sizes of settles. */
  readonly settles: { at: number; size: number }[] = []
  readonly #known = new Set<string>()
  readonly #lines: QueuedPage[][] = [[], [], [], []]
  readonly #keepsPages: boolean
  readonly values = new Set<string>()

  constructor(pages: NewPage[], keepsPages = true) {
    this.#keepsPages = keepsPages
    this.#note(pages)
  }

  async take(count: number): Promise<QueuedPage[]> {
    const taken: QueuedPage[] = []
    for (const line of this.#lines) taken.push(...line.splice(0, count - taken.length))
    return taken
  }

  async settle(outcomes: PageOutcome[]): Promise<void> {
    this.settles.push({ at: performance.now(), size: outcomes.length })
    for (const outcome of outcomes) {
      const { page, skipped, findings, links } = outcome
      if (skipped) this.skipped.set(page.url, skipped)
      else if (this.#keepsPages) this.read.set(page.url, outcome)
      for (const { value } of findings) this.values.add(value)
      this.#note(links)
    }
  }

  async add(pages: NewPage[]): Promise<void> {
    this.#note(pages)
  }

  async forget(host: string): Promise<void> {
    this.forgotten.push(host)
    for (const outcome of this.read.values())
      if (new URL(outcome.page.url).host.replace(/^www\./, '') === host) outcome.findings = []
  }

  get findings(): (Finding & { url: string })[] {
    return [...this.read.values()].flatMap(({ page, findings }) =>
      findings.map((finding) => ({ ...finding, url: page.url })),
    )
  }

  #note(pages: NewPage[]): void {
    for (const page of pages) {
      if (this.#known.has(page.url)) continue
      this.#known.add(page.url)
      this.#lines[page.priority]?.push({ ...page, id: String(this.#known.size) })
    }
  }
}

type SiteResponse = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** A request as the site saw it. */
export interface SeenRequest {
  path: string
  /** Milliseconds; `to` when the answer was out or the connection gone. */
  from: number
  to: number
  agent: string
}

/** A site on this machine. A string is a page; what has no answer is a 404, but for `otherwise`. */
export async function startSite(responses: Record<string, SiteResponse>, otherwise?: SiteResponse) {
  const log: SeenRequest[] = []
  let now = 0
  let most = 0
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const seen: SeenRequest = {
      path,
      from: performance.now(),
      to: Number.NaN,
      agent: request.headers['user-agent'] ?? '',
    }
    log.push(seen)
    most = Math.max(most, ++now)
    let isOver = false
    const over = () => {
      if (!isOver) now--
      isOver = true
      seen.to = performance.now()
    }
    response.on('finish', over).on('close', over)
    const siteResponse = responses[path] ?? (path === '/robots.txt' ? undefined : otherwise)
    if (siteResponse === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<p>nothing here</p>')
    else if (typeof siteResponse === 'function') siteResponse(request, response)
    else
      response
        .setHeader('content-type', /\.txt$/.test(path) ? 'text/plain' : 'text/html; charset=utf-8')
        .end(siteResponse)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    log,
    paths: () => log.map(({ path }) => path),
    mostAtOnce: () => most,
    /** The most requests that arrived within any second. */
    /** In 0.9 seconds: what was asked for in time may be seen late on a busy machine, and the next not. */
    mostInASecond: () =>
      Math.max(
        0,
        ...log.map(({ from }) => log.filter((other) => other.from >= from && other.from < from + 900).length),
      ),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
