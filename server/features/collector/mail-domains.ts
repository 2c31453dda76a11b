import { nameServers } from '#server/platform/dns.ts'
import { isPublicAddress } from '#server/platform/egress.ts'

/** What DNS says about mail to a domain: `unknown` when no name server answered. */
export type MxState = 'yes' | 'no' | 'unknown'

const DAY_MS = 24 * 3_600_000
/** What could not be found out is asked again soon. */
const RETRY_MS = 5 * 60_000
const MOST_KEPT = 50_000
const AT_ONCE = 6
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
async function addressesOf(resolver: Resolver, name: string): Promise<{ found: string[]; isSure: boolean }> {
  const answers = await Promise.allSettled([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))])
  return {
    found: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    isSure: answers.every((answer) => answer.status === 'fulfilled'),
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
      const { found, isSure } = await addressesOf(resolver, domain)
      if (found.some(isPublicAddress)) return 'yes'
      return isSure ? 'no' : 'unknown'
    }
    const named = servers.filter(({ exchange }) => exchange !== '' && exchange !== '.')
    if (named.length === 0) return 'no'
    const targets = named.sort((a, b) => a.priority - b.priority).slice(0, TARGETS)
    const addresses = await Promise.all(targets.map(({ exchange }) => addressesOf(resolver, exchange)))
    const found = addresses.flatMap((target) => target.found)
    return found.length > 0 && !found.some(isPublicAddress) ? 'no' : 'yes'
  } catch {
    return 'unknown'
  }
}

/** Asks about domains, few at once, each once a day. */
export class MailDomains {
  readonly #resolver: Resolver
  readonly #known = new Map<string, { state: Promise<MxState>; until: number }>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(dnsServers: readonly string[]) {
    this.#resolver = nameServers(dnsServers)
  }

  /** Whether the domain takes mail. Never rejects. */
  stateOf(domain: string): Promise<MxState> {
    const known = this.#known.get(domain)
    if (known && known.until > Date.now()) return known.state
    const entry = { state: this.#inTurn(() => look(this.#resolver, domain)), until: Date.now() + DAY_MS }
    this.#known.set(domain, entry)
    const oldest = this.#known.size > MOST_KEPT ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    void entry.state.then((state) => {
      if (state === 'unknown') entry.until = Date.now() + RETRY_MS
    })
    return entry.state
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      // Its place goes to the next in line.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
