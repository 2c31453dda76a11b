import { createHmac, timingSafeEqual } from 'node:crypto'

const SHAPE = /^sha256=([0-9a-f]{64})$/

/** What X-Hub-Signature-256 says, as bytes; undefined where it says nothing that could be right. */
export function claimedSignature(header: unknown): Buffer | undefined {
  const [, hex] = typeof header === 'string' ? (SHAPE.exec(header) ?? []) : []
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}

/** Whether the raw bytes of a body were signed with this app secret (HMAC-SHA256), in a time that does not tell where it differs. */
export function isSigned(raw: Uint8Array, claimed: Buffer, appSecret: string): boolean {
  return timingSafeEqual(createHmac('sha256', appSecret).update(raw).digest(), claimed)
}
