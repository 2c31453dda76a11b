import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#server/platform/crypto.ts'

/** Nobody writes a message in less. Seconds. */
export const QUICKEST = 3
/** A form left open longer is asked to be opened again. Seconds. */
export const MAX_LENGTH = 24 * 3600

/** What is wrong with a form's word; undefined when nothing is. */
export type WordFault = 'forged' | 'early' | 'late'

const signed = (secret: string, text: string) =>
  createHmac('sha256', deriveKey(secret, 'contact-form')).update(text).digest('base64url')

/** A word that a form was opened now: time in seconds, random bits, HMAC-SHA256; at most 100 characters. */
export function makeWord(secret: string, now = Date.now()): string {
  const text = `${Math.floor(now / 1000)}.${randomBytes(9).toString('base64url')}`
  return `${text}.${signed(secret, text)}`
}

/** Checks a word in constant time: ours, and neither too quick nor too old. */
export function wordFault(secret: string, word: string, now = Date.now()): WordFault | undefined {
  const [time = '', bits = '', mac = '', ...more] = word.split('.')
  const wanted = Buffer.from(signed(secret, `${time}.${bits}`))
  const given = Buffer.from(mac)
  if (more.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'forged'
  const age = now / 1000 - Number(time)
  if (age < QUICKEST) return 'early'
  return age > MAX_LENGTH ? 'late' : undefined
}
