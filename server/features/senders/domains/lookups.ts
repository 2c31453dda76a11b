import type { promises } from 'node:dns'
import { ALWAYS_THERE, nameServers } from '#server/platform/dns.ts'

/** What DNS has of a kind under a name. `broken`: its name servers contradict themselves. `unknown`: they did not say. */
export type Found =
  | { kind: 'found'; values: string[] }
  | { kind: 'none' }
  | { kind: 'broken'; text: string }
  | { kind: 'unknown'; text: string }

const MAX_QUERIES = 80
const DEADLINE_MS = 20_000
const MAX_ALIASES = 8
const MAX_VALUES = 20
const MAX_VALUE = 4_096

const reasons: Record<string, string> = {
  ESERVFAIL: 'reported a failure (SERVFAIL)',
  EREFUSED: 'refused the query (REFUSED)',
  ETIMEOUT: 'did not respond in time',
  ECONNREFUSED: 'could not be reached',
  EBADRESP: 'sent a damaged response',
  EFORMERR: 'did not understand the query (FORMERR)',
  ENOTIMP: 'does not answer such queries (NOTIMP)',
}

const toReason = (name: string, code: string) =>
  `The name server ${reasons[code] ?? `failed (${code})`} for ${name}. This is checked again.`

const normalize = (name: string) => name.toLowerCase().replace(/\.$/, '')

/** The queries of one check: bounded in number, time and in what is read of a response. Asks each question once. */
export class Lookups {
  readonly #resolver: promises.Resolver
  readonly #doubts: boolean
  readonly #asked = new Map<string, Promise<Found>>()
  readonly #deadline: number
  #left: number
  #trusted: Promise<boolean> | undefined

  constructor(servers: readonly string[], { maxQueries = MAX_QUERIES, deadlineMs = DEADLINE_MS } = {}) {
    this.#left = maxQueries
    this.#deadline = performance.now() + deadlineMs
    this.#resolver = nameServers(servers)
    // The system's name servers may be those of a closed network, which says "no such name" of everything.
    this.#doubts = servers.length === 0
  }

  /** The TXT records of a name, each as one string; aliases (CNAME) are followed. */
  txt(name: string): Promise<Found> {
    return this.#once('TXT', name, () => this.#followTxt(normalize(name), [normalize(name)]))
  }

  /** The alias (CNAME) of a name. */
  cname(name: string): Promise<Found> {
    return this.#once('CNAME', name, () => this.#query(name, () => this.#resolver.resolveCname(name)))
  }

  /** The mail servers (MX) of a name, the preferred one first. */
  mx(name: string): Promise<Found> {
    const ask = async () => {
      const servers = await this.#resolver.resolveMx(name)
      return servers.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
    }
    return this.#once('MX', name, () => this.#query(name, ask))
  }

  /** Whether its time is up or its queries are used up: all that is asked from now on is unknown. */
  get isOver(): boolean {
    return this.#left <= 0 || performance.now() > this.#deadline
  }

  #once(type: string, name: string, ask: () => Promise<Found>): Promise<Found> {
    const key = `${type} ${normalize(name)}`
    const known = this.#asked.get(key)
    if (known) return known
    const asked = ask()
    this.#asked.set(key, asked)
    return asked
  }

  async #followTxt(name: string, path: string[]): Promise<Found> {
    const found = await this.#query(name, async () =>
      (await this.#resolver.resolveTxt(name)).map((strings) => strings.join('')),
    )
    if (found.kind === 'found') return found
    // A resolver says of a loop that there is nothing, or that it failed: the aliases themselves say which.
    const alias = await this.cname(name)
    if (alias.kind !== 'found') return found
    const target = normalize(alias.values[0] ?? '')
    if (path.includes(target)) return { kind: 'broken', text: `CNAME loop: ${[...path, target].join(' → ')}.` }
    if (path.length >= MAX_ALIASES) return { kind: 'broken', text: `More than ${MAX_ALIASES} CNAME records in a row.` }
    return this.#followTxt(target, [...path, target])
  }

  async #query(name: string, ask: () => Promise<string[]>): Promise<Found> {
    if (this.#left-- <= 0) return { kind: 'unknown', text: 'The check took too many queries.' }
    if (performance.now() > this.#deadline) return { kind: 'unknown', text: 'The name servers took too long.' }
    try {
      const values = await ask()
      return { kind: 'found', values: values.slice(0, MAX_VALUES).map((value) => value.slice(0, MAX_VALUE)) }
    } catch (error) {
      const code = (error as { code?: string }).code ?? 'error'
      if (code !== 'ENOTFOUND' && code !== 'ENODATA') return { kind: 'unknown', text: toReason(name, code) }
      if (!this.#doubts || (await this.#isTrusted())) return { kind: 'none' }
      return { kind: 'unknown', text: 'The name servers of this server do not know the internet’s names.' }
    }
  }

  #isTrusted(): Promise<boolean> {
    this.#trusted ??= this.#resolver.resolve4(ALWAYS_THERE).then(
      () => true,
      () => false,
    )
    return this.#trusted
  }
}
