/**
 * Addresses that only we can have made: where a mail server returns one message (variable envelope return path), and where
 * complaints about a workspace's email, reports about its domains and emails that check one are sent. The local part is a token in base32, because some servers change its case.
 */
import type { Tokens } from '../types.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const VALUES = new Map([...ALPHABET].map((character, value) => [character, value]))
/** Two characters for ten bits: half as many steps, in a place where each message passes. */
const PAIRS = Array.from({ length: 1024 }, (_, value) => `${ALPHABET[value >>> 5]}${ALPHABET[value & 31]}`)
/** The words before the token are for people who read the address. At most 64 characters make a local part (RFC 5321). */
const PREFIXES = { bounce: 'bounce-', feedback: 'feedback-', dmarc: 'dmarc-', loopback: 'loopback-' } as const

type ReturnPurpose = keyof typeof PREFIXES
const PURPOSES = Object.keys(PREFIXES) as ReturnPurpose[]

/** RFC 4648 in lower case, without padding. */
function toBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0x3ffff
    bits += 8
    if (bits < 10) continue
    bits -= 10
    text += PAIRS[(value >>> bits) & 1023]
  }
  if (bits === 0) return text
  const last = PAIRS[(value << (10 - bits)) & 1023] as string
  return text + (bits <= 5 ? last[0] : last)
}

/** undefined: it is no base32 of whole bytes. */
function fromBase32(text: string): Buffer | undefined {
  const bytes = Buffer.alloc((text.length * 5) >> 3)
  let [bits, value, place] = [0, 0, 0]
  for (const character of text) {
    const five = VALUES.get(character)
    if (five === undefined) return undefined
    value = ((value << 5) | five) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[place++] = (value >>> bits) & 255
  }
  // Only one spelling of a token is valid.
  return bits < 5 && (value & ((1 << bits) - 1)) === 0 ? bytes : undefined
}

/**
 * The address at `host` for a message (`bounce`), a bounce source (`feedback`), a sending domain (`dmarc`) or a check of one
 * (`loopback`) of that id; at most 63 characters before the @.
 */
export function signReturnAddress(tokens: Tokens, purpose: ReturnPurpose, id: string, host: string): string {
  return `${PREFIXES[purpose]}${toBase32(Buffer.from(tokens.sign(purpose, id), 'base64url'))}@${host}`
}

/** What a local part was made for; null for anything we did not sign, whatever the reason. Asks nobody. */
export function readReturnAddress(tokens: Tokens, local: string): { purpose: ReturnPurpose; id: string } | null {
  const text = local.toLowerCase()
  const purpose = PURPOSES.find((one) => text.startsWith(PREFIXES[one]))
  if (purpose === undefined || text.length > 64) return null
  const bytes = fromBase32(text.slice(PREFIXES[purpose].length))
  const content = bytes && tokens.verify(bytes.toString('base64url'))
  return content?.purpose === purpose ? { purpose, id: content.recipientId } : null
}
