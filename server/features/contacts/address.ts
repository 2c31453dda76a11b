import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { LRUCache } from 'lru-cache'
import { asciiDomain, isLocalPart, isPublicDomain } from '#contracts/email-address.ts'

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const QUOTES = /^["'\u2018\u2019\u201c\u201d\u00ab\u00bb]+|["'\u2018\u2019\u201c\u201d\u00ab\u00bb]+$/g
/** Nothing to take off, as with nearly every address. */
const BARE = /^[A-Za-z0-9.@_+-]+$/
const MAX_TEXT_LENGTH = 1_000

export type EmailAddress = { address: string; key: string }
export type PhoneNumber = { phone: string }
export type Refusal = { reason: string }

/**
 * Reads one email address (the practical part of RFC 5321 and RFC 5891): `mailto:` and `Name <a@b>` are taken too.
 * `address` is for sending (local part as written, domain in lower-case ASCII form), `key` for comparing.
 */
export function normalizeEmail(text: string): EmailAddress | Refusal {
  if (text.length > MAX_TEXT_LENGTH) return { reason: 'the email address is too long' }
  const bare = unwrap(text)
  if (bare === '') return { reason: 'there is no email address' }
  const at = bare.lastIndexOf('@')
  if (at < 0) return { reason: 'the email address has no @' }
  if (/[\s,;]/.test(bare) && bare.indexOf('@') !== at) return { reason: 'there is more than one email address' }
  if (bare.indexOf('@') !== at) return { reason: 'the email address has more than one @' }
  const local = bare.slice(0, at)
  const wrong = wrongLocal(local)
  if (wrong) return { reason: wrong }
  const host = bare.slice(at + 1)
  const domain = normalizeDomain(host)
  if ('reason' in domain) return domain
  // Most are written as they are stored and compared: one text for all three.
  const address = domain.ascii === host ? bare : `${local}@${domain.ascii}`
  if (Buffer.byteLength(address) > 254) return { reason: 'the email address is too long' }
  const lower = local.toLowerCase()
  return { address, key: lower === local ? address : `${lower}@${domain.ascii}` }
}

function unwrap(text: string): string {
  if (BARE.test(text)) return text
  let bare = text.normalize('NFC').replace(INVISIBLE, '').trim()
  const inner = /<([^<>]*)>\s*$/.exec(bare)
  if (inner) bare = (inner[1] ?? '').trim()
  bare = bare.replace(QUOTES, '').trim()
  if (/^mailto:/i.test(bare)) bare = bare.slice(7).replace(/\?.*$/, '').trim()
  return bare
}

function wrongLocal(local: string): string | null {
  if (local === '') return 'the email address has nothing before the @'
  if (isLocalPart(local)) return null
  if (Buffer.byteLength(local) > 64) return 'the part before the @ is longer than 64 characters'
  if (/\s/.test(local)) return 'the email address has a space in it'
  if (/^\.|\.$|\.\./.test(local)) return 'the part before the @ begins or ends with a dot, or has two in a row'
  return 'the part before the @ has a character that is not allowed there'
}

const domains = new LRUCache<string, { ascii: string } | Refusal>({ max: 5_000 })

/** A million rows share a few thousand domains. */
function normalizeDomain(text: string): { ascii: string } | Refusal {
  const known = domains.get(text)
  if (known) return known
  const result = readDomain(text)
  // The text may be a slice that keeps a much longer one alive.
  domains.set(Buffer.from(text).toString(), result)
  return result
}

function readDomain(text: string): { ascii: string } | Refusal {
  if (text === '') return { reason: 'the email address has nothing after the @' }
  if (/\s/.test(text)) return { reason: 'the email address has a space in it' }
  if (text.startsWith('[')) return { reason: 'the part after the @ is a number in brackets, not a domain' }
  if (!text.includes('.') && !/[\u3002\uff0e\uff61]/.test(text)) return { reason: 'the part after the @ has no dot' }
  const ascii = asciiDomain(text)
  if (/\.\d+$/.test(text) || (ascii && !isPublicDomain(ascii)))
    return { reason: 'the domain does not end in a top-level domain such as .com' }
  return ascii ? { ascii } : { reason: 'the part after the @ is not a domain name' }
}

/** Whether numbers of this country (ISO 3166, two capital letters) can be read. */
export const isPhoneCountry = (code: string): boolean => isSupportedCountry(code)

/** Reads a phone number into E.164. National forms need the country (ISO 3166, two letters) they belong to. */
export function normalizePhone(text: string, country?: string): PhoneNumber | Refusal {
  if (text.length > 100) return { reason: 'the phone number is too long' }
  let bare = text.normalize('NFKC').replace(INVISIBLE, '').replace(QUOTES, '').trim()
  bare = bare.replace(/^(tel|whatsapp):/i, '').replace(/^00(?=[1-9])/, '+')
  if (bare === '') return { reason: 'there is no phone number' }
  if (!/\d/.test(bare)) return { reason: 'the phone number has no digits' }
  const known = parsePhoneNumberFromString(bare, { defaultCountry: country as CountryCode | undefined, extract: false })
  if (known?.isPossible()) return { phone: known.number }
  if (!bare.startsWith('+') && country === undefined) {
    return { reason: 'the phone number has no country code; write it like +49 30 123456' }
  }
  return { reason: 'the phone number has too few or too many digits, or an unknown country code' }
}
