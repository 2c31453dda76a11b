/** One e-mail address, strictly: what may stand in an SMTP command and in a header without any doubt. */
import { domainToASCII } from 'node:url'

export type Address = {
  /** `local@domain`, domain as lower-case A-label. */
  address: string
  local: string
  domain: string
  /** The local part is not ASCII (RFC 6531). */
  needsSmtpUtf8: boolean
}

// Dot-atoms only. Quoted local parts, comments and address literals are where parsers differ, and so where attacks live.
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+)*$/u
const NEVER = /[\p{Cc}\p{Cf}\p{Z}\p{Cs}\u{fffd}]/u
const LABELS = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/
const ASCII = /^[\x21-\x7e]*$/

/** One validated addr-spec with the domain as A-label (IDNA); null for anything else. */
export function parseAddress(text: string): Address | null {
  if (text.length > 320) return null
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at).normalize('NFC')
  if (at < 1 || NEVER.test(text) || !LOCAL.test(local)) return null
  const written = text.slice(at + 1)
  // domainToASCII is a URL host parser: it would also take %-escapes and turn numbers into IPv4 addresses.
  if (/[%:/?#@[\]\\]/.test(written)) return null
  const domain = domainToASCII(written).toLowerCase()
  if (!LABELS.test(domain) || /(?:^|\.)[\d-]+$/.test(domain)) return null
  if (Buffer.byteLength(local) > 64 || domain.length > 253) return null
  const address = `${local}@${domain}`
  return Buffer.byteLength(address) > 254 ? null : { address, local, domain, needsSmtpUtf8: !ASCII.test(local) }
}
