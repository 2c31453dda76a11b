/**
 * Proof of work for sign-up forms: the protocol of Altcha (a number between 0 and `maxnumber` whose SHA-256 with a salt is
 * the challenge, signed with HMAC-SHA256). The server stores nothing of a challenge until it is used.
 */
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { toNetwork } from '#server/platform/network.ts'
import { throttle } from '#server/platform/throttle.ts'

/** The field of a form in which the solution comes. */
export const PROOF = 'altcha'
/** About 50,000 hashes: a quarter of a second on a laptop, one or two on an old phone. */
const MAX_NUMBER = 100_000
/** A challenge is valid for so long. Seconds. */
export const PROOF_SECONDS = 20 * 60
const MAX_PAYLOAD = 2_000

/** Challenges in an hour, of one visitor and of all visitors of a form; within one process. */
const AN_HOUR = { visitor: 200, everybody: 20_000 }
const HOUR_MS = 3_600_000

const Payload = z.object({
  algorithm: z.literal('SHA-256'),
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  number: z.number().int().min(0).max(MAX_NUMBER),
  salt: z.string().max(500),
  signature: z.string().max(200),
})

/** A key for each form: what was solved for one is nothing to another. */
const proofKey = (secretKey: string, { id }: { id: string }) =>
  deriveKey(secretKey, `proof of form ${id}`).toString('hex')

/** A challenge of a form, which costs two hashes. */
export function makeChallenge(secretKey: string, form: { id: string }) {
  const expires = new Date(Date.now() + PROOF_SECONDS * 1000)
  return createChallenge({ hmacKey: proofKey(secretKey, form), maxNumber: MAX_NUMBER, expires })
}

/** 400 that names the field for programs, and says to people what to do. */
const refuse = (sentence: string, message: string) =>
  new Refusal(400, 'invalid', sentence, { details: [{ field: PROOF, message }] })

const AGAIN = 'Wait for it to run again, then send the form.'

function readPayload(text: string): z.output<typeof Payload> | undefined {
  try {
    return Payload.safeParse(JSON.parse(Buffer.from(text, 'base64').toString())).data
  } catch {
    return undefined
  }
}

/** The challenge that was solved for a form, not spent yet. Throws Refusal 400 naming `altcha`. */
export async function readProof(secretKey: string, form: { id: string }, text: string | undefined): Promise<string> {
  if (!text?.trim())
    throw refuse(
      'This form runs a security check in your browser. Wait for it to finish, then send the form.',
      'is required: the solution of GET /f/{slug}/challenge',
    )
  const payload = text.length > MAX_PAYLOAD ? undefined : readPayload(text)
  if (!payload || !(await verifySolution(payload, proofKey(secretKey, form), false)))
    throw refuse(`The security check failed. ${AGAIN}`, 'is not a solution of a challenge of this form')
  if (!(Number(extractParams(payload).expires) * 1000 > Date.now()))
    throw refuse(`The security check has expired. ${AGAIN}`, 'has expired')
  return payload.challenge
}

/** Spends a solution. Throws Refusal 400 where it was spent before, by whichever process. */
export async function spendProof(db: Db, challenge: string): Promise<void> {
  const { ok } = await throttle(db, `proof:${challenge}`, 1, PROOF_SECONDS)
  if (!ok) throw refuse(`The security check has already been used. ${AGAIN}`, 'has already been used')
}

/**
 * Counts challenges in memory: they grant nothing by themselves, and a statement would cost more than they do. Returns the
 * seconds to wait; 0: there may be one.
 */
export function limitChallenges(): (slug: string, address: string) => number {
  const visitors = new LRUCache<string, { count: number; ends: number }>({ max: 50_000 })
  const forms = new LRUCache<string, { count: number; ends: number }>({ max: 10_000 })
  const count = (uses: typeof visitors, key: string, limit: number, now: number) => {
    const old = uses.get(key)
    const use = old && old.ends > now ? old : { count: 0, ends: now + HOUR_MS }
    use.count++
    uses.set(key, use)
    return use.count > limit ? Math.ceil((use.ends - now) / 1000) : 0
  }
  return (slug, address) => {
    const now = Date.now()
    const isIpv6 = address.includes(':') && !address.startsWith('::ffff:')
    const visitor = count(visitors, `${slug} ${isIpv6 ? toNetwork(address) : address}`, AN_HOUR.visitor, now)
    return visitor || count(forms, slug, AN_HOUR.everybody, now)
  }
}
