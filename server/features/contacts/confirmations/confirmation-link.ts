import { z } from 'zod'
import type { Config } from '#server/platform/config.ts'
import { decrypt, encrypt } from '#server/platform/crypto.ts'

/** How long a confirmation link works. Seconds. */
export const LINK_SECONDS = 7 * 86_400

const CONTEXT = 'confirmation link'
const Parts = z.tuple([z.string(), z.string(), z.number(), z.boolean()])

/** What a confirmation link says: who is asked about which list, and when (seconds of the database's clock). */
export interface ConfirmationLink {
  listId: string
  email: string
  at: number
  /** The person asked for it: confirming makes the contact and the membership where there are none. */
  joins: boolean
}

type Secret = Pick<Config, 'secretKey'>

/** The token of a confirmation link, encrypted and authenticated: the address in it is nobody else's business. */
export function writeLink({ secretKey }: Secret, { listId, email, at, joins }: ConfirmationLink): string {
  return encrypt(secretKey, JSON.stringify([listId, email, at, joins]), CONTEXT)
}

/** Reads a token of a confirmation link; undefined for one that is not ours. Its age is not looked at. */
export function readLink({ secretKey }: Secret, token: string): ConfirmationLink | undefined {
  let text: string
  try {
    text = decrypt(secretKey, token, CONTEXT)
  } catch {
    // Forged, damaged or made with another key: to the person who follows it, it is all the same.
    return undefined
  }
  const [listId, email, at, joins] = Parts.parse(JSON.parse(text))
  return { listId, email, at, joins }
}
