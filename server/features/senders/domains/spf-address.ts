import ipaddr from 'ipaddr.js'

/** Mechanisms whose addresses would have to be looked up, or differ with each email. */
const OPEN = /^(?:a|mx|ptr|exists)\b|%/

/** Whether what an SPF record lets send (`include:x`, `ip4:192.0.2.0/24`) covers one of the addresses of a mail server. */
export function isListed(addresses: readonly string[], passes: ReadonlySet<string>): 'pass' | 'fail' | 'unknown' {
  const ranges = [...passes].flatMap((term) => /^ip[46]:(.+)$/.exec(term)?.[1] ?? [])
  if (addresses.some((address) => ranges.some((range) => isWithin(address, range)))) return 'pass'
  return addresses.length === 0 || [...passes].some((term) => OPEN.test(term)) ? 'unknown' : 'fail'
}

function isWithin(address: string, range: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  const whole = range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`
  if (!ipaddr.isValidCIDR(whole)) return false
  const [network, bits] = ipaddr.parseCIDR(whole)
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}
