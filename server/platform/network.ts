import { isIP } from 'node:net'

/**
 * An address cut to its network (IPv4 /24, IPv6 /48), such as `203.0.113.0/24`: enough to tell networks apart, too little
 * to find a person. Of somebody who has hung up already there is no address, whatever the types say: ''.
 */
export function toNetwork(address: string | undefined): string {
  if (!address) return ''
  const mapped = address.startsWith('::ffff:') ? address.slice(7) : address
  switch (isIP(mapped)) {
    case 4:
      return `${mapped.slice(0, mapped.lastIndexOf('.'))}.0/24`
    case 6:
      return `${toIpv6Prefix(mapped)}::/48`
    default:
      return ''
  }
}

function toIpv6Prefix(address: string): string {
  const [left = '', right] = (address.split('%')[0] ?? '').split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right ? right.split(':') : []
  const groups =
    right === undefined
      ? head
      : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  return groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** The value of TRUST_PROXY: true, a number of hops, or addresses; undefined: no proxy. null: none of these. */
export function parseTrustProxy(text: string | undefined): true | number | string | undefined | null {
  if (text === undefined || /^(false|no|0)$/i.test(text)) return undefined
  if (/^(true|yes)$/i.test(text)) return true
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const isKnown = (part: string) => {
    const [address = '', prefix, ...more] = part.split('/')
    const bits = isIP(address) === 6 ? 128 : 32
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
    return (
      more.length === 0 && (['loopback', 'linklocal', 'uniquelocal'].includes(part) || (isIP(address) > 0 && isPrefix))
    )
  }
  const parts = text.split(',').map((part) => part.trim())
  return parts.every(isKnown) ? parts.join(',') : null
}
