import { LRUCache } from 'lru-cache'
import { nameServers } from '#server/platform/dns.ts'

/** Milliseconds that a page waits for names, and that a name or its absence is remembered. */
const WAIT_MS = 1_500
const KNOWN_MS = 24 * 3_600_000
const NONE_MS = 10 * 60_000
const MAX_ASKED = 50
const MAX_NAME = 253

const known = new LRUCache<string, { name: string | null }>({ max: 20_000 })

/** The names that addresses have in reverse DNS, as far as they are known within 1.5 seconds; their owners choose them. */
export async function readNames(
  servers: readonly string[],
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const fresh = addresses.filter((address) => !known.has(address)).slice(0, MAX_ASKED)
  if (fresh.length > 0) {
    const resolver = nameServers(servers)
    const ask = async (address: string) => {
      const [name] = await resolver.reverse(address).catch(() => [])
      const isName = name !== undefined && name.length <= MAX_NAME && /^[\w.-]+$/.test(name)
      known.set(address, { name: isName ? name.toLowerCase() : null }, { ttl: isName ? KNOWN_MS : NONE_MS })
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_MS)
    })
    await Promise.race([Promise.all(fresh.map(ask)), late])
    clearTimeout(timer)
    // What is asked still is not waited for.
    resolver.cancel()
  }
  return new Map(
    addresses.flatMap((address) => {
      const { name } = known.get(address) ?? {}
      return name ? [[address, name] as const] : []
    }),
  )
}
