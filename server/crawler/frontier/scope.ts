import ipaddr from 'ipaddr.js'
import { canonicalHost, type EgressRules, isAllowed, isPublicAddress } from '#server/platform/egress.ts'
import type { CrawlSettings, NewPage } from '../crawl/types.ts'
import { canonicalUrl, findTrap } from './urls.ts'

const bare = (host: string) => host.replace(/^www\./, '')
const isUnder = (path: string, prefixes: string[]) => prefixes.some((prefix) => path.startsWith(prefix))

/** Host and path of a canonical address, without parsing it again: there may be hundreds on a page. */
function splitAddress(address: string): { host: string; path: string } {
  const from = address.indexOf('//') + 2
  const slash = address.indexOf('/', from)
  return { host: address.slice(from, slash), path: address.slice(slash) }
}

/**
 * Whether canonical addresses belong to the sites and paths of a crawl; with and without www. are one site. A host given
 * with a port means that port.
 */
export function createScope(settings: Pick<CrawlSettings, 'hosts' | 'subdomains' | 'include' | 'exclude'>) {
  const hosts = new Set(settings.hosts.map(bare))
  const isGiven = (host: string): boolean => {
    if (hosts.has(bare(host))) return true
    if (!settings.subdomains || /^[\d.:[\]]+$/.test(host)) return false
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
      if (hosts.has(host.slice(dot + 1))) return true
    return false
  }
  return {
    hasHost: (address: string) => isGiven(splitAddress(address).host),
    has(address: string): boolean {
      const { host, path } = splitAddress(address)
      if (!isGiven(host) || isUnder(path, settings.exclude)) return false
      return settings.include.length === 0 || isUnder(path, settings.include)
    },
  }
}

export type Scope = ReturnType<typeof createScope>

const MAX_LENGTH = 2_000

/** What a person typed as an address: without a scheme it is https. */
function parseTypedAddress(given: string): string | undefined {
  const text = given.trim()
  if (text === '' || /\s/.test(text)) return undefined
  const isBare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const address = canonicalUrl(isBare ? `https://${text.replace(/^\/\//, '')}` : text)
  if (!address) return undefined
  const { hostname } = new URL(address)
  // A word is no host; names of this machine and network come as such only when they are allowed.
  return hostname.includes('.') || hostname.includes(':') || !isBare || /^localhost(?::|\/|$)/i.test(text)
    ? address
    : undefined
}

function findAddressProblem(
  given: string,
  address: string | undefined,
  rules: Pick<EgressRules, 'allow'>,
): string | undefined {
  if (!address)
    return /^[a-z][a-z0-9+.-]*:/i.test(given.trim()) && !/^https?:/i.test(given.trim()) && !/^[^/]+:\d/.test(given)
      ? 'It is not the URL of a web page. URLs begin with http:// or https://.'
      : /^https?:\/\/[^/]*@/i.test(given.trim())
        ? 'It contains a user name or password. Enter the URL without them.'
        : 'It is not a web address, such as example.com or https://example.com/team.'
  const { hostname } = new URL(address)
  try {
    canonicalHost(hostname)
  } catch {
    return 'It is not a web address, such as example.com or https://example.com/team.'
  }
  if (isPrivateAddress(address, rules)) return 'This address isn’t public, so we can’t scan it.'
  if (given.length > MAX_LENGTH) return 'It is longer than 2,000 characters.'
  const { port } = new URL(address)
  if (port !== '' && port !== '80' && port !== '443' && !isOnList(address, rules))
    return `It names port ${port}. Only ports 80 and 443 are crawled.`
  if (!/[.:]/.test(hostname) && !isOnList(address, rules)) return 'Its host is not a public name, such as example.com.'
  const trap = findTrap(address)
  return trap ? `It cannot be read: ${trap}.` : undefined
}

function isOnList(address: string, { allow }: Pick<EgressRules, 'allow'>): boolean {
  const { protocol, hostname, port } = new URL(address)
  return isAllowed(
    hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''),
    Number(port) || (protocol === 'https:' ? 443 : 80),
    allow,
  )
}

/** Whether an address names a host that is not public, in whatever spelling; names are looked up only when they are asked. */
export function isPrivateAddress(address: string, rules: Pick<EgressRules, 'allow'>): boolean {
  const host =
    URL.parse(address)
      ?.hostname.replace(/^\[(.*)\]$/, '$1')
      .replace(/\.$/, '') ?? ''
  if (host === '' || isOnList(address, rules)) return false
  return ipaddr.isValid(host)
    ? !isPublicAddress(host)
    : /(?:^|\.)(?:localhost|localdomain|local|internal|lan|home\.arpa|onion)$/.test(host)
}

/**
 * What a person gave as addresses, as the first pages of a crawl: each once, in order. `refused` says which cannot be asked
 * for and why, in words. `hosts` are for the settings.
 */
export function startPages(
  given: string[],
  rules: Pick<EgressRules, 'allow'>,
): { pages: NewPage[]; hosts: string[]; refused: { url: string; reason: string }[] } {
  const pages = new Map<string, NewPage>()
  const hosts = new Set<string>()
  const refused: { url: string; reason: string }[] = []
  for (const url of given) {
    const address = parseTypedAddress(url)
    const reason = findAddressProblem(url, address, rules)
    if (!address || reason) refused.push({ url, reason: reason ?? '' })
    else if (!pages.has(address)) {
      pages.set(address, { url: address, depth: 0, priority: 0 })
      hosts.add(new URL(address).host)
    }
  }
  return { pages: [...pages.values()], hosts: [...hosts], refused }
}
