import { promises as dns } from 'node:dns'

/** A name that always exists. A name server that does not know it is cut off from the rest and says "no such name" of all. */
export const ALWAYS_THERE = 'a.root-servers.net'

/**
 * Asks these name servers (`address` or `address:port`), or the system's when there are none. At most some 4 seconds a question, unless
 * `patience` (milliseconds of a try, and how many) says otherwise.
 */
export function nameServers(servers: readonly string[], patience = { timeout: 2_000, tries: 2 }): dns.Resolver {
  const resolver = new dns.Resolver(patience)
  if (servers.length > 0) resolver.setServers(servers as string[])
  return resolver
}
