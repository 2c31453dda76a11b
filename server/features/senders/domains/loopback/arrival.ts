import type { Authentication, Delivery } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Arrival, toStored } from './result.ts'
import { checkById, claimArrival, type LoopbackRow, noteResult, releaseArrival } from './store.ts'

/** An email that is awaited. */
export type AwaitedEmail = Pick<LoopbackRow, 'workspaceId' | 'id' | 'nonce' | 'isOpen'>

/** What a receiver finds in an email: see the engine's authenticate; null: that could not be said in time. */
type Authenticate = (
  raw: Uint8Array,
  servers: readonly string[],
  delivery: Delivery,
  mark: string,
) => Promise<Authentication | null>

/** The email that an address of ours was made for; undefined: there is none, or a newer check took its place. */
export const findAwaited = (db: Db, id: string): Promise<AwaitedEmail | undefined> => checkById(db, id)

const MAX_HEADERS = 64 * 1024

/** Whether the subject has a text, however a relay folded or marked it. */
function hasInSubject(raw: Uint8Array, text: string): boolean {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, MAX_HEADERS)).toString('latin1')
  const head = start.slice(0, /\r?\n\r?\n/.exec(start)?.index ?? start.length)
  const subjects = head.split(/\r?\n(?![ \t])/).filter((field) => /^subject:/i.test(field))
  return subjects.some((field) => field.includes(text))
}

/**
 * Takes in what came to the address of a check. What is late, comes again, or has not the subject that was sent changes nothing, and
 * nothing is computed for it.
 */
export async function takeArrival(
  { db, nameServers }: { db: Db; nameServers: { servers: readonly string[] } },
  awaited: AwaitedEmail,
  arrival: Arrival,
  authenticate: Authenticate,
): Promise<void> {
  // A bounce or an automatic reply names the subject too. It has no sender (RFC 5321, 3834), and the email itself did not arrive.
  if (arrival.delivery.mailFrom === '') return
  if (!awaited.isOpen || !hasInSubject(arrival.raw, awaited.nonce)) return
  if (!(await claimArrival(db, awaited))) return
  try {
    const found = await authenticate(arrival.raw, nameServers.servers, arrival.delivery, awaited.nonce)
    await noteResult(db, awaited, toStored(found, arrival))
  } catch (error) {
    await releaseArrival(db, awaited)
    throw error
  }
}
