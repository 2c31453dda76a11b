import { isIP } from 'node:net'
import { getDomain } from 'tldts'
import { canonicalUrl } from '#server/crawler/frontier/urls.ts'
import { canonicalHost, isAllowed, isPublicAddress } from '#server/platform/egress.ts'

/** Addresses a person gave, understood. */
export interface Understood {
  /** Canonical, each once. */
  urls: string[]
  /** As they were given, with the reason in words for people. */
  refused: { url: string; reason: string }[]
}

/** Longer ones are no addresses of pages people read. */
const LONGEST = 2_000
const SHOWN = 200
/** Names that only mean something inside a network or a machine (RFC 6761, RFC 8375, RFC 6762). */
const INNER = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|invalid|onion)$/

/**
 * Reads addresses: http and https on their own ports to names and public addresses; `example.com` is https. Private
 * addresses in any spelling and other ports only where the installation allows that host:port. Doubles are folded.
 */
export function understand(given: readonly string[], allow: readonly string[]): Understood {
  const urls = new Set<string>()
  const refused: Understood['refused'] = []
  for (const text of given) {
    const read = readAddress(text, allow)
    if ('url' in read) urls.add(read.url)
    else refused.push({ url: text.trim().slice(0, SHOWN), reason: read.reason })
  }
  return { urls: [...urls], refused }
}

function readAddress(text: string, allow: readonly string[]): { url: string } | { reason: string } {
  const bare = text.trim()
  if (bare === '') return { reason: 'is empty' }
  if (bare.length > LONGEST) return { reason: 'is longer than 2,000 characters' }
  const scheme = /^([a-z][a-z\d+.-]*):(?:\/\/|(?!\d))/i.exec(bare)?.[1]?.toLowerCase()
  if (scheme && scheme !== 'http' && scheme !== 'https')
    return { reason: `begins with ${scheme}:, and only web pages (http, https) can be read` }
  const url = URL.parse(scheme ? bare : `https://${bare.replace(/^\/\//, '')}`)
  if (!url || url.hostname === '') return { reason: 'is not a web address' }
  if (url.username || url.password) return { reason: 'has a user name or password in it; only public pages are read' }
  const wrong = wrongHost(url, allow)
  if (wrong) return { reason: wrong }
  const canonical = canonicalUrl(url.href)
  return canonical ? { url: canonical } : { reason: 'is not a web address' }
}

function wrongHost(url: URL, allow: readonly string[]): string | undefined {
  let host: string
  try {
    host = canonicalHost(url.hostname)
  } catch {
    return 'is not a web address'
  }
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (isAllowed(host, port, allow)) return undefined
  if (isIP(host) ? !isPublicAddress(host) : INNER.test(host))
    return 'leads into a private network, not to the public web'
  if (!isIP(host) && !host.includes('.')) return 'is not a web address: its name has no dot'
  if (port !== 80 && port !== 443) return `names port ${port}; only the web's own ports 80 and 443 are asked`
  return undefined
}

/** The site an address belongs to: its registrable domain, or else host and port. One process asks a site at a time. */
export function siteOf(url: string): string {
  const { hostname, host } = new URL(url)
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host
}
