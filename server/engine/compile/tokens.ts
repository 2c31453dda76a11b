/**
 * The opaque tokens in links: version, key id, purpose, recipient id and link number under AES-CMAC (NIST SP 800-38B, AES-256).
 * Nothing personal and no destination is in them, and one made for one purpose is worthless for another. Tokens of version 1 have a
 * truncated HMAC-SHA256 instead; those that were sent stay valid.
 */
import { createCipheriv, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { TokenContent, TokenPurpose, Tokens, TokenWanted } from '../types.ts'

const VERSION = 2
const HMAC_VERSION = 1
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
  'campaign_open',
  'campaign_click',
  'campaign_view',
  'loopback',
]
const BODY = 13
const MAC = 16
const BLOCK = 16
const TEXT = Math.ceil(((BODY + MAC) * 8) / 6)
const MAX_ID = (1n << 63n) - 1n

/** Of tokens that begin with this version and key id. `mac` of a body, 16 bytes. */
type Verifier = { version: number; id: number; mac(body: Buffer): Buffer }

/** What signs: `macs` are those of so many bodies that stand in `blocks`, padded to a block each. */
type Signer = Verifier & { macs(blocks: Buffer): Buffer }

/** A key of version 2. Its messages are shorter than a block, so each is one block under the second subkey of CMAC. */
function createSigner(secret: string | Uint8Array): Signer {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'postlark link tokens 2', 33))
  // One cipher for all: without chaining and padding each block stands for itself, and a call for many costs what one for a single block does.
  const cipher = createCipheriv('aes-256-ecb', bytes.subarray(0, 32), null).setAutoPadding(false)
  const subkey = doubled(doubled(cipher.update(Buffer.alloc(BLOCK))))
  const macs = (blocks: Buffer): Buffer => {
    for (let at = 0; at < blocks.length; at += BLOCK) {
      blocks[at + BODY] = 0x80
      blocks[at + BODY + 1] = 0
      blocks[at + BODY + 2] = 0
      for (let i = 0; i < BLOCK; i++) blocks[at + i] = (blocks[at + i] as number) ^ (subkey[i] as number)
    }
    return cipher.update(blocks)
  }
  const block = Buffer.alloc(BLOCK)
  return {
    version: VERSION,
    id: bytes[32] as number,
    macs,
    mac(body) {
      body.copy(block, 0, 0, BODY)
      return macs(block)
    },
  }
}

/** Doubling in GF(2^128), by which CMAC derives its subkeys. */
function doubled(block: Buffer): Buffer {
  const out = Buffer.alloc(BLOCK)
  for (let i = 0; i < BLOCK; i++) out[i] = ((block[i] as number) << 1) | ((block[i + 1] ?? 0) >> 7)
  if ((block[0] as number) & 0x80) out[BLOCK - 1] = (out[BLOCK - 1] as number) ^ 0x87
  return out
}

/** A key of version 1, which only verifies: HMAC-SHA256 (RFC 2104) out of two hashes over buffers that hold the padded key. */
function createHmacVerifier(secret: string | Uint8Array): Verifier {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'postlark link tokens', 33))
  const inner = Buffer.alloc(64 + BODY, 0x36)
  const outer = Buffer.alloc(64 + 32, 0x5c)
  for (let i = 0; i < 64; i++) {
    const k = i < 32 ? (bytes[i] as number) : 0
    inner[i] = k ^ 0x36
    outer[i] = k ^ 0x5c
  }
  return {
    version: HMAC_VERSION,
    id: bytes[32] as number,
    mac(body) {
      body.copy(inner, 64, 0, BODY)
      outer.set(hash('sha256', inner, 'buffer'), 64)
      return hash('sha256', outer, 'buffer').subarray(0, MAC)
    },
  }
}

const SAFE_ID = /^\d{1,15}$/

function write(body: Buffer, at: number, key: Signer, recipientId: string, { purpose, link = 0 }: TokenWanted): void {
  if (!Number.isInteger(link) || link < 0 || link > 0xffff) throw new RangeError(`link ${link} is not 0..65535`)
  body[at] = VERSION
  body[at + 1] = key.id
  body[at + 2] = PURPOSES.indexOf(purpose) + 1
  // Ids are small for a long time, and numbers cost a third of what bigints do.
  if (SAFE_ID.test(recipientId)) {
    const id = Number(recipientId)
    body.writeUInt32BE(Math.floor(id / 0x1_0000_0000), at + 3)
    body.writeUInt32BE(id >>> 0, at + 7)
  } else {
    const id = BigInt(recipientId)
    if (id < 0n || id > MAX_ID) throw new RangeError(`recipient id ${recipientId} is not a bigint id`)
    body.writeBigUInt64BE(id, at + 3)
  }
  body.writeUInt16BE(link, at + 11)
}

/** Signs with the first secret and accepts all of them, so that a rotated key keeps old links alive. */
export function createTokens(...secrets: (string | Uint8Array)[]): Tokens {
  const signers = secrets.map(createSigner)
  const verifiers: Verifier[] = [...signers, ...secrets.map(createHmacVerifier)]
  const newest = signers[0]
  if (!newest) throw new Error('createTokens needs at least one secret')
  const signed = Buffer.alloc(BODY + MAC)

  const signAll: Tokens['signAll'] = (recipientId, wanted) => {
    const blocks = Buffer.allocUnsafe(wanted.length * BLOCK)
    for (let i = 0; i < wanted.length; i++) write(blocks, i * BLOCK, newest, recipientId, wanted[i] as TokenWanted)
    const bodies = Buffer.from(blocks)
    const macs = newest.macs(blocks)
    return wanted.map((_, i) => {
      bodies.copy(signed, 0, i * BLOCK, i * BLOCK + BODY)
      macs.copy(signed, BODY, i * BLOCK, i * BLOCK + MAC)
      return signed.toString('base64url')
    })
  }
  return {
    signAll,
    sign: (purpose, recipientId, link = 0) => signAll(recipientId, [{ purpose, link }])[0] as string,
    verify(token) {
      if (token.length !== TEXT || !/^[\w-]+$/.test(token)) return null
      const bytes = Buffer.from(token, 'base64url')
      // The last character carries unused bits: only one spelling of a token is valid.
      if (bytes.length !== BODY + MAC || bytes.toString('base64url') !== token) return null
      for (const { version, id, mac } of verifiers) {
        if (version !== bytes[0] || id !== bytes[1]) continue
        if (timingSafeEqual(mac(bytes), bytes.subarray(BODY))) return read(bytes)
      }
      return null
    },
  }
}

function read(bytes: Buffer): TokenContent | null {
  const purpose = PURPOSES[(bytes[2] as number) - 1]
  if (!purpose) return null
  return { purpose, recipientId: bytes.readBigUInt64BE(3).toString(), link: bytes.readUInt16BE(11) }
}
