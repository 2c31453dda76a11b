/**
 * The opaque tokens in links: version, key id, purpose, recipient id and link number under a truncated HMAC-SHA256.
 * Nothing personal and no destination is in them, and one made for one purpose is worthless for another.
 */
import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { TokenContent, TokenPurpose, Tokens } from '../types.ts'

const VERSION = 1
const PURPOSES: TokenPurpose[] = [
  'open',
  'click',
  'unsubscribe',
  'view',
  'message',
  'bounce',
  'feedback',
  'preferences',
  'dmarc',
]
const BODY = 13
const MAC = 16
const TEXT = Math.ceil(((BODY + MAC) * 8) / 6)
const MAX_ID = (1n << 63n) - 1n

type Key = { id: number; mac(body: Buffer): string }

/**
 * HMAC-SHA256 (RFC 2104) out of two one-shot hashes over buffers that already hold the padded key: createHmac costs twice as much,
 * and a campaign message needs eight of these.
 */
function createKey(secret: string | Uint8Array): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'postlark link tokens', 33))
  const inner = Buffer.alloc(64 + BODY, 0x36)
  const outer = Buffer.alloc(64 + 32, 0x5c)
  for (let i = 0; i < 64; i++) {
    const k = i < 32 ? (bytes[i] as number) : 0
    inner[i] = k ^ 0x36
    outer[i] = k ^ 0x5c
  }
  return {
    id: bytes[32] as number,
    mac(body) {
      body.copy(inner, 64, 0, BODY)
      // As Latin-1 strings the digests cost a quarter of what they cost as buffers.
      outer.write(hash('sha256', inner, 'binary'), 64, 'latin1')
      return hash('sha256', outer, 'binary')
    },
  }
}

function write(body: Buffer, key: Key, purpose: TokenPurpose, recipientId: string, link: number): void {
  const id = BigInt(recipientId)
  if (id < 0n || id > MAX_ID) throw new RangeError(`recipient id ${recipientId} is not a bigint id`)
  if (!Number.isInteger(link) || link < 0 || link > 0xffff) throw new RangeError(`link ${link} is not 0..65535`)
  body[0] = VERSION
  body[1] = key.id
  body[2] = PURPOSES.indexOf(purpose) + 1
  body.writeBigUInt64BE(id, 3)
  body.writeUInt16BE(link, 11)
}

/** Signs with the first secret and accepts all of them, so that a rotated key keeps old links alive. */
export function createTokens(...secrets: (string | Uint8Array)[]): Tokens {
  const keys = secrets.map(createKey)
  const newest = keys[0]
  if (!newest) throw new Error('createTokens needs at least one secret')
  const signed = Buffer.alloc(BODY + MAC)

  return {
    sign(purpose, recipientId, link = 0) {
      write(signed, newest, purpose, recipientId, link)
      signed.write(newest.mac(signed), BODY, MAC, 'latin1')
      return signed.toString('base64url')
    },
    verify(token) {
      if (token.length !== TEXT || !/^[\w-]+$/.test(token)) return null
      const bytes = Buffer.from(token, 'base64url')
      // The last character carries unused bits: only one spelling of a token is valid.
      if (bytes.length !== BODY + MAC || bytes.toString('base64url') !== token) return null
      for (const key of keys) {
        if (key.id !== bytes[1]) continue
        if (timingSafeEqual(Buffer.from(key.mac(bytes), 'latin1').subarray(0, MAC), bytes.subarray(BODY)))
          return read(bytes)
      }
      return null
    },
  }
}

function read(bytes: Buffer): TokenContent | null {
  const purpose = PURPOSES[(bytes[2] as number) - 1]
  if (bytes[0] !== VERSION || !purpose) return null
  return { purpose, recipientId: bytes.readBigUInt64BE(3).toString(), link: bytes.readUInt16BE(11) }
}
