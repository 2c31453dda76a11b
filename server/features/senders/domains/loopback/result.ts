import type { Authentication, Delivery } from '#server/engine/index.ts'

/** How an email came. `tls`: the version of its connection; null: it was in the clear. */
export interface Arrival {
  raw: Uint8Array
  delivery: Delivery
  tls: string | null
}

/** What is stored of an arrival, bounded in size: relays write parts of it. */
export interface StoredResult extends Authentication {
  ip: string
  mailFrom: string
  tls: string | null
}

/** Of an email that could not be judged in time. */
const UNKNOWN: Authentication = {
  dkim: 'unknown',
  signatures: [],
  spf: { state: 'unknown', domain: '', aligned: false, reason: '' },
  dmarc: { state: 'unknown', policy: null },
}

const MAX_TEXT = 320

/** `found` null: it could not be said in time. */
export const toStored = (found: Authentication | null, { delivery: { ip, mailFrom }, tls }: Arrival): StoredResult => ({
  ...(found ?? UNKNOWN),
  ip: ip.slice(0, 64),
  mailFrom: mailFrom
    .replace(/[\p{Cc}\p{Cf}]+/gu, '')
    .slice(0, MAX_TEXT)
    .toWellFormed(),
  tls: tls?.slice(0, 20) ?? null,
})
