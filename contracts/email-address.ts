/** The one rule for an email address, for the API, forms, imports and the engine: what a mail server and a header take without doubt. */
export interface Address {
  /** `local@domain`, domain as lower-case A-label. */
  address: string
  local: string
  domain: string
  /** The local part is not ASCII (RFC 6531). */
  needsSmtpUtf8: boolean
}

// Dot-atoms only. Quoted local parts, comments and address literals are where parsers differ, and so where attacks live.
// Characters beyond ASCII are taken: whether a mail server can carry them shows when it is sent.
const LOCAL = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u
const NEVER = /[\p{Cc}\p{Cf}\p{Z}\p{Cs}\u{fffd}]/u
const LABELS = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/
/** A last label that the URL standard reads as part of an IPv4 address. */
const NUMBER = /(?:^|\.)(?:[\d-]+|0x[0-9a-f]*)$/
const PLAIN_DOMAIN = /^[A-Za-z0-9.-]+$/
const ASCII = /^[\x21-\x7e]*$/

const encoder = new TextEncoder()
const byteLength = (text: string) => (ASCII.test(text) ? text.length : encoder.encode(text).length)

/** A domain in lower-case ASCII form (IDNA, RFC 5891), at most 253 characters; null for anything else, addresses of hosts included. */
export function asciiDomain(written: string): string | null {
  if (written.length > 1_000) return null
  const ascii = PLAIN_DOMAIN.test(written) && !/xn--/i.test(written) ? written.toLowerCase() : parseHost(written)
  return ascii !== null && ascii.length <= 253 && LABELS.test(ascii) && !NUMBER.test(ascii) ? ascii : null
}

/** By the URL parser, which browsers and Node both have. It would also take %-escapes, ports and user names. */
function parseHost(written: string): string | null {
  if (NEVER.test(written) || /[%:/?#@[\]\\]/.test(written)) return null
  try {
    return new URL(`http://${written}`).hostname
  } catch {
    return null
  }
}

/** Whether the text is a local part of at most 64 bytes, in NFC. */
export const isLocalPart = (local: string): boolean => LOCAL.test(local) && byteLength(local) <= 64

/** Whether an ASCII domain can be reached from everywhere: it ends in a top-level domain. */
export const isPublicDomain = (domain: string): boolean => /\.[a-z0-9-]{2,}$/.test(domain)

/** Whether a name is a domain or stands below it. Both are lower case. */
export const isAtOrBelow = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`)

/** One validated addr-spec (RFC 5321) with the domain as A-label; null for anything else. `localhost` is a domain here. */
export function parseAddress(text: string): Address | null {
  if (text.length > 320) return null
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at).normalize('NFC')
  if (at < 1 || !isLocalPart(local)) return null
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === null) return null
  const address = `${local}@${domain}`
  return byteLength(address) > 254 ? null : { address, local, domain, needsSmtpUtf8: !ASCII.test(local) }
}

/** Whether the text is an address that can be reached from everywhere, as a person types it. */
export function isEmailAddress(text: string): boolean {
  const parsed = parseAddress(text)
  return parsed !== null && isPublicDomain(parsed.domain)
}

/** The form addresses are compared in: the local part without case. */
export const addressKey = ({ local, domain }: Address): string => `${local.toLowerCase()}@${domain}`
