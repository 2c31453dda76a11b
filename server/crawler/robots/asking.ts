import type { Hosts } from '../crawl/hosts.ts'
import { toPaceHost } from '../crawl/hosts.ts'
import type { SkipReason } from '../crawl/types.ts'
import { decodePage } from '../fetch/decode.ts'
import { type Fetched, type Fetcher, FetchProblem } from '../fetch/fetcher.ts'
import { interpretRobots, type Robots } from './robots.ts'

/** What is known of a site's robots.txt. `closed`: nothing there may be asked for, and why. */
export interface Rules {
  robots: Robots
  closed?: { reason: SkipReason; text: string }
}

const DAY = 24 * 3_600_000
/** Milliseconds for which a site counts as closed because its robots.txt could not be had. */
const WHILE = 5 * 60_000
const MAX_SITES = 20_000
/** Bytes that all cached rules may take, about; each site counts for some, whatever it says. */
const MAX_MEMORY = 32 * 2 ** 20
const SITE_SIZE = 500
/** RFC 9309, 2.3.1.2 asks for five at least. */
const MAX_REDIRECTS = 6
const MAX_BYTES = 512_000
/** Milliseconds for all of it, waiting for busy hosts included. */
const MAX_LENGTH = 90_000
const TRIES = 3
/** Seconds that a busy server may ask to wait for its robots.txt. */
const MAX_REST = 30

/** The robots.txt of sites, requested once for all crawls together and cached for a day, as far as they fit into memory. */
export class RobotsRules {
  readonly #cached = new Map<string, { rules: Rules; until: number }>()
  #size = 0
  readonly #asking = new Map<string, Promise<Rules>>()
  readonly #fetcher: Fetcher
  readonly #hosts: Hosts

  constructor(fetcher: Fetcher, hosts: Hosts) {
    this.#fetcher = fetcher
    this.#hosts = hosts
  }

  /** What is known of an origin (`https://example.com`) now. */
  known(origin: string): Rules | undefined {
    const cached = this.#cached.get(origin)
    if (!cached || cached.until <= Date.now()) return undefined
    // The one that was asked about longest ago is the first.
    this.#cached.delete(origin)
    this.#cached.set(origin, cached)
    return cached.rules
  }

  /** Asks the site, or waits for who does already. Never rejects. */
  ask(origin: string): Promise<Rules> {
    const asked = this.#asking.get(origin)
    if (asked) return asked
    const asking = this.#askUntilTold(origin).then((rules) => {
      this.#asking.delete(origin)
      this.#keep(origin, rules)
      return rules
    })
    this.#asking.set(origin, asking)
    return asking
  }

  #keep(origin: string, rules: Rules): void {
    this.#drop(origin)
    this.#cached.set(origin, { rules, until: Date.now() + (rules.closed ? WHILE : DAY) })
    this.#size += rules.robots.size + SITE_SIZE
    for (const [oldest] of this.#cached) {
      if (this.#cached.size <= MAX_SITES && this.#size <= MAX_MEMORY) return
      if (oldest !== origin) this.#drop(oldest)
    }
  }

  #drop(origin: string): void {
    const cached = this.#cached.get(origin)
    if (!cached) return
    this.#cached.delete(origin)
    this.#size -= cached.rules.robots.size + SITE_SIZE
  }

  async #askUntilTold(origin: string): Promise<Rules> {
    const signal = AbortSignal.timeout(MAX_LENGTH)
    for (let tries = 1; ; tries++) {
      let wait = 1
      const last = tries === TRIES
      try {
        const response = await this.#follow(`${origin}/robots.txt`, signal)
        const isBusy = response.status === 429 || response.status === 503
        wait = (response.retryAfter ?? 2_000) / 1_000
        if (last || !isBusy || wait > MAX_REST) return told(response)
      } catch (error) {
        if (!(error instanceof FetchProblem))
          return closed('robots', 'Its robots.txt could not be fetched in time, so nothing there was crawled.')
        const isPassing = error.kind === 'lost' || error.kind === 'unreachable'
        if (tries > 1 || !isPassing || /certificate|name/i.test(error.message)) return failed(error)
      }
      this.#hosts.rest(toPaceHost(origin), wait * 1_000)
    }
  }

  async #follow(start: string, signal: AbortSignal): Promise<Fetched> {
    let address = start
    for (let hops = 0; ; hops++) {
      const pass = await this.#hosts.enter(toPaceHost(address), signal)
      let isBroken = true
      try {
        const response = await this.#fetcher.get(address, {
          accept: 'text/plain,*/*;q=0.5',
          types: /./,
          mostBytes: MAX_BYTES,
        })
        isBroken = response.cut
        const isMoved = response.status >= 300 && response.status < 400 && response.location
        if (!isMoved || hops === MAX_REDIRECTS) return response
        address = response.location ?? ''
      } finally {
        pass.leave(isBroken)
      }
    }
  }
}

const nothing = interpretRobots(undefined, '')
const closed = (reason: SkipReason, text: string): Rules => ({ robots: nothing, closed: { reason, text } })

function told(response: Fetched): Rules {
  const robots = interpretRobots(
    { status: response.status, text: decodePage(response.bytes, response.contentType) },
    'postlark',
  )
  if (response.status < 300 || (response.status >= 400 && response.status < 500 && response.status !== 429))
    return { robots }
  const what = response.status < 400 ? 'redirects endlessly' : `responds with status ${response.status}`
  return closed('robots', `Its robots.txt ${what}, so nothing there may be crawled now.`)
}

function failed(error: FetchProblem): Rules {
  if (error.kind === 'blocked' || error.kind === 'unreachable')
    return closed(error.kind === 'blocked' ? 'blocked' : 'error', error.message)
  return closed(
    'robots',
    `Its robots.txt could not be fetched (${error.message.replace(/\.$/, '').toLowerCase()}), so nothing there may be crawled now.`,
  )
}
