import { Pool } from 'undici'
import { type EgressRules, publicLookup } from '#server/platform/egress.ts'

const MAX_HEADERS = 32 * 1_024

/**
 * A connection to the origin of a URL that only ever reaches addresses which the rules allow; the caller destroys it. `at`: the
 * host that is connected to, where it is not the URL's. Throws EgressError.
 */
export function openPublicPool(url: URL, rules: EgressRules, timeoutMs: number, at = url.hostname): Pool {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  return new Pool(url.origin, {
    connections: 1,
    maxHeaderSize: MAX_HEADERS,
    connect: { lookup: publicLookup(at, port, rules), timeout: timeoutMs } as never,
  })
}
