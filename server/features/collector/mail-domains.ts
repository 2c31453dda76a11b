import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { ALWAYS_THERE, nameServers } from '#server/platform/dns.ts'
import { isPublicAddress } from '#server/platform/egress.ts'

/** What DNS says about mail to a domain: `unknown` when no name server answered. */
export type MxState = 'yes' | 'no' | 'unknown'

const DAY_MS = 24 * 3_600_000
/** What could not be found out is asked again soon. */
const RETRY_MS = 5 * 60_000
const MAX_CACHED = 50_000
const MAX_CONCURRENT = 6
/** Mail servers of a domain that are looked at. */
const TARGETS = 3

type Resolver = ReturnType<typeof nameServers>

/** An answer that there is nothing: no such name, or no record of the kind. */
const isNothing = (error: unknown) => ['ENOTFOUND', 'ENODATA'].includes((error as { code?: string }).code ?? '')

/** Records of a kind; none where there are none. Throws when nobody answered. */
async function ask<T>(work: Promise<T[]>): Promise<T[]> {
  try {
    return await work
  } catch (error) {
    if (isNothing(error)) return []
    throw error
  }
}

/** The addresses of a name as far as they are known. */
async function resolveAddresses(resolver: Resolver, name: string): Promise<{ found: string[]; isSure: boolean }> {
  const results = await Promise.allSettled([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))])
  return {
    found: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    isSure: results.every((result) => result.status === 'fulfilled'),
  }
}

/**
 * Whether a domain takes mail (RFC 5321 5.1, RFC 7505): by its MX records, without them by its own address. A null MX, a
 * name that does not exist, and mail servers that are not on the public internet take none. No mail server is asked.
 */
async function look(resolver: Resolver, domain: string): Promise<MxState> {
  try {
    const servers = await ask(resolver.resolveMx(domain))
    if (servers.length === 0) {
      const { found, isSure } = await resolveAddresses(resolver, domain)
      if (found.some(isPublicAddress)) return 'yes'
      return isSure ? 'no' : 'unknown'
    }
    const named = servers.filter(({ exchange }) => exchange !== '' && exchange !== '.')
    if (named.length === 0) return 'no'
    const targets = named.sort((a, b) => a.priority - b.priority).slice(0, TARGETS)
    const addresses = await Promise.all(targets.map(({ exchange }) => resolveAddresses(resolver, exchange)))
    const found = addresses.flatMap((target) => target.found)
    return found.length > 0 && !found.some(isPublicAddress) ? 'no' : 'yes'
  } catch {
    return 'unknown'
  }
}

/** Asks about domains, few at once, each once a day. */
export class MailDomains {
  readonly #resolver: Resolver
  readonly #doubts: boolean
  #trusted: { state: Promise<boolean>; until: number } | undefined
  readonly #cache = new LRUCache<string, Promise<MxState>>({ max: MAX_CACHED, ttl: DAY_MS })
  readonly #inTurn = pLimit(MAX_CONCURRENT)

  /**
   * `doubts`: a "no" counts only from name servers that know a name which always exists. Those that were chosen are believed;
   * those a machine happens to have may be of a network that is closed.
   */
  constructor(dnsServers: readonly string[], { doubts = dnsServers.length === 0 } = {}) {
    this.#resolver = nameServers(dnsServers)
    this.#doubts = doubts
  }

  /** Whether the domain takes mail. Never rejects. */
  findMxState(domain: string): Promise<MxState> {
    const cached = this.#cache.get(domain)
    if (cached) return cached
    const asked = this.#inTurn(() => this.#look(domain))
    this.#cache.set(domain, asked)
    void asked.then((state) => {
      if (state === 'unknown' && this.#cache.peek(domain) === asked) this.#cache.set(domain, asked, { ttl: RETRY_MS })
    })
    return asked
  }

  async #look(domain: string): Promise<MxState> {
    const state = await look(this.#resolver, domain)
    return state === 'no' && this.#doubts && !(await this.#isTrusted()) ? 'unknown' : state
  }

  #isTrusted(): Promise<boolean> {
    if (!this.#trusted || this.#trusted.until < Date.now()) {
      const state = resolveAddresses(this.#resolver, ALWAYS_THERE).then(({ found }) => found.length > 0)
      this.#trusted = { state, until: Date.now() + RETRY_MS }
    }
    return this.#trusted.state
  }
}
