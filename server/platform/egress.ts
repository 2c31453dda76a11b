import { promises as dns } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { nameServers } from './dns.ts'

/**
 * The one rule for addresses that customers name (mail servers, pages to collect from): only public ones may be reached.
 * Every address a name resolves to is checked, and the connection goes to the very address that was checked, so that a
 * name which resolves differently a moment later gains nothing.
 */
export class EgressError extends Error {
  /** `host`: not a host name; `private`: leads to an address that is not public; `dns`: the name has no address, or could not be looked up. */
  readonly kind: 'host' | 'private' | 'dns'
  /** So that callers of net and undici see it as they see any failed look-up. */
  readonly code: string
  /** A look-up that failed may succeed later; a name without an address is most likely misspelled. */
  readonly isUnknownName: boolean
  constructor(kind: EgressError['kind'], message: string, isUnknownName = false) {
    super(message)
    this.name = 'EgressError'
    this.kind = kind
    this.isUnknownName = isUnknownName
    this.code = kind === 'dns' ? 'ENOTFOUND' : 'ENOTPUBLIC'
  }
}

export interface EgressRules {
  /** `host:port` as it is written in the address (IPv6 in brackets), or `host` for any port: reached although private. */
  allow: readonly string[]
  /** Resolvers as `address` or `address:port`; the system's when empty. */
  dnsServers: readonly string[]
}

export interface PinnedAddress {
  address: string
  family: 4 | 6
}

/** Milliseconds a look-up may take. */
const LOOKUP_LIMIT = 5_000

/** Where global unicast lies today (IANA): what is outside, such as ::127.0.0.1, is never public, whatever else it may be. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an IP literal is a public address: unicast, and no wrapping (mapped, NAT64, 6to4, Teredo) of another one. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_V6))
}

/**
 * A host as URLs write it: lower case, ASCII, IPv4 in any spelling (2130706433, 0x7f.1) as four decimals, no brackets, no
 * dot at the end. Throws EgressError `host`.
 */
export function canonicalHost(host: string): string {
  const bare = host
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  const url =
    bare === '' || /[\s/\\?#@%]/.test(bare) ? null : URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}/`)
  const name = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? ''
  const isName =
    name.includes(':') || (name.length <= 253 && name.split('.').every((label) => label !== '' && label.length <= 63))
  if (!isName) throw new EgressError('host', 'is not a host name or address')
  return name
}

/** Whether a canonical host may be reached on this port although it is private. */
export function isAllowed(host: string, port: number, allow: readonly string[]): boolean {
  const written = host.includes(':') ? `[${host}]` : host
  return allow.some((entry) =>
    [written, `${written}:${port}`].includes(entry.toLowerCase().replace(/\.(?=:\d+$|$)/, '')),
  )
}

/** An error of a look-up in words. `isUnknown`: the name servers say that there is no such name, or that it has no address. */
const failed = (host: string, isUnknown: boolean, code: string | undefined) =>
  new EgressError(
    'dns',
    isUnknown ? `no server with the name ${host} exists` : `${host} could not be looked up (${code})`,
    isUnknown,
  )

const noResponse = (host: string) =>
  new EgressError('dns', `${host} could not be looked up: no name server responded in time`)

/** After one family has addresses the other one is waited for so long, in milliseconds: some name servers never respond to one of them. */
const OTHER_FAMILY_MS = 500

/** Asks name servers without a thread, so that those who never respond hold up nobody else (decision 0100). */
async function askServers(host: string, servers: readonly string[]): Promise<string[]> {
  const resolver = nameServers(servers)
  const families = [resolver.resolve4(host), resolver.resolve6(host)]
  const isFound = families.map(async (family) => {
    if ((await family).length === 0) throw new Error('no address')
  })
  const cancel = () => resolver.cancel()
  const late = setTimeout(cancel, LOOKUP_LIMIT)
  const isAnyFound = await Promise.any(isFound).then(
    () => true,
    () => false,
  )
  const soon = isAnyFound ? setTimeout(cancel, OTHER_FAMILY_MS) : undefined
  const results = await Promise.allSettled(families)
  for (const timer of [late, soon]) clearTimeout(timer)
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (found.length > 0) return found
  const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code as string] : []))
  const trouble = codes.find((code) => code !== 'ENOTFOUND' && code !== 'ENODATA')
  if (trouble === 'ECANCELLED' || trouble === 'ETIMEOUT') throw noResponse(host)
  throw failed(host, trouble === undefined, trouble)
}

/** Asks the system, which knows names beside those of DNS. It has two threads for it, so only names of the operator are asked for. */
async function askSystem(host: string): Promise<string[]> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(noResponse(host)), LOOKUP_LIMIT)
  try {
    const found = await Promise.race([dns.lookup(host, { all: true, order: 'ipv4first' }), late.promise])
    return found.map(({ address }) => address)
  } catch (error) {
    if (error instanceof EgressError) throw error
    const code = (error as NodeJS.ErrnoException).code
    throw failed(host, code === 'ENOTFOUND', code)
  } finally {
    clearTimeout(timer)
  }
}

/** Names that may be private are the operator's: those of this machine too. All others are those of DNS alone, where each has a dot. */
async function resolveAddresses(host: string, port: number, { allow, dnsServers }: EgressRules): Promise<string[]> {
  if (isAllowed(host, port, allow)) {
    const known = askSystem(host)
    if (dnsServers.length === 0) return known
    // Asked for meanwhile: the name servers that were named come first, and may take their time.
    known.catch(() => undefined)
    return askServers(host, dnsServers).catch(() => known)
  }
  if (!host.includes('.')) throw notPublic(host)
  return askServers(host, dnsServers)
}

const notPublic = (host: string) => new EgressError('private', `${host} is not on the public internet`)

/** The addresses of `host`, all of them checked. Throws EgressError. */
export async function resolvePublicAll(host: string, port: number, rules: EgressRules): Promise<PinnedAddress[]> {
  const name = canonicalHost(host)
  const found = ipaddr.isValid(name) ? [name] : await resolveAddresses(name, port, rules)
  if (found.length === 0) throw new EgressError('dns', `${name} has no address`, true)
  if (!isAllowed(name, port, rules.allow) && !found.every(isPublicAddress)) throw notPublic(name)
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** One address to connect to, checked. Connect to it and not to the name. Throws EgressError. */
export async function resolvePublic(host: string, port: number, rules: EgressRules): Promise<PinnedAddress> {
  const [first] = await resolvePublicAll(host, port, rules)
  return first as PinnedAddress
}

/**
 * A `lookup` for net.connect, tls.connect and undici that only ever returns checked addresses. They do not call it for
 * IP literals: those are checked here and now, and refused by throwing EgressError.
 */
export function publicLookup(host: string, port: number, rules: EgressRules): LookupFunction {
  const name = canonicalHost(host)
  if (ipaddr.isValid(name) && !isAllowed(name, port, rules.allow) && !isPublicAddress(name)) throw notPublic(name)
  return (_hostname, options, callback) => {
    resolvePublicAll(name, port, rules).then(
      (all) => {
        const wanted = all.filter(({ family }) => !options.family || String(options.family).endsWith(String(family)))
        const [first] = wanted
        if (!first) callback(new EgressError('dns', `${name} has no address of that family`), '', 0)
        else if (options.all) callback(null, wanted)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}
