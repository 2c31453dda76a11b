import { type NameRecords, serveNames } from '#sandbox/dns/name-server.ts'

/** What the server says of a name: records by type, `refuse` (SERVFAIL), `lame` (REFUSED), or `silent` (no answer). What it does not know does not exist (NXDOMAIN). */
export type Zone = Record<string, 'refuse' | 'lame' | 'silent' | NameRecords>

/** A name server (RFC 1035) on 127.0.0.1 that notes what it is asked; without `tcp` a long reply stays truncated. */
export async function startNameServer(zone: Zone, { tcp = true } = {}) {
  const asked: string[] = []
  const { address, stop } = await serveNames(
    ({ type, name }) => {
      asked.push(`${type} ${name.toLowerCase()}`)
      return Object.hasOwn(zone, name.toLowerCase()) ? zone[name.toLowerCase()] : undefined
    },
    { tcp },
  )
  return { address, asked, stop }
}
