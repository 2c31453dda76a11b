import type { z } from 'zod'
import { EVENT_AGE_DAYS, EVENTS_A_DAY, EVENTS_A_MINUTE, type events } from '#contracts/contacts/events.ts'
import { hashToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, invalid, notFound, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import { normalizeEmail } from '../address.ts'
import * as store from './events-store.ts'

type EventBody = z.output<typeof events.record.body>

const DAY_MS = 86_400_000
/** Clocks of other programs are ahead by this much without a refusal. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

function requireRecent(at: string | undefined): void {
  if (at === undefined) return
  const age = Date.now() - Date.parse(at)
  if (age < -CLOCK_TOLERANCE_MS) throw invalid('at', 'is in the future')
  if (age > EVENT_AGE_DAYS * DAY_MS) throw invalid('at', `is more than ${EVENT_AGE_DAYS} days ago`)
}

async function limitEvents(db: Db, workspaceId: string): Promise<void> {
  for (const [key, limit, seconds] of [
    ['events', EVENTS_A_MINUTE, 60],
    ['events-day', EVENTS_A_DAY, 86_400],
  ] as const) {
    const { ok, wait } = await throttle(db, `${key}:${workspaceId}`, limit, seconds)
    if (!ok) throw tooMany('Too many events. Wait, then send them again.', wait)
  }
}

/** The same for the same event, in whatever order its properties come. */
const hashEvent = ({ name, email, contactId, properties, at }: EventBody) =>
  hashToken(JSON.stringify([name, email, contactId, Object.entries(properties).toSorted(), at]))

const toKey = (email: string) => {
  const parsed = normalizeEmail(email)
  return 'key' in parsed ? parsed.key : ''
}

/**
 * Records what a contact did and returns the id of the event. With a key that was used for the same event it is that event's id.
 * Throws Refusal 400, 404, 409 where the key was used for another event, or 429.
 */
export async function recordEvent(
  db: Db,
  workspaceId: string,
  event: EventBody,
  key: string | undefined,
): Promise<string> {
  const request = key === undefined ? null : { key, hash: hashEvent(event) }
  await limitEvents(db, workspaceId)
  const findRecorded = async () => {
    const known = request && (await store.findByKey(db, workspaceId, request.key))
    if (known && known.hash !== request.hash)
      throw conflict('key_used', 'This Idempotency-Key was used for another event.')
    return known?.id
  }
  const recorded = await findRecorded()
  if (recorded) return recorded
  requireRecent(event.at)
  const id = await db.transaction().execute(async (db) => {
    const by = event.contactId === undefined ? { emailKey: toKey(event.email ?? '') } : { id: event.contactId }
    const contactId = await store.holdContact(db, workspaceId, by)
    if (!contactId) throw notFound('Contact')
    const { name, properties, at = null } = event
    return store.insertEvent(db, workspaceId, contactId, { name, properties, at, request })
  })
  // Another request with the key was first.
  const first = id ?? (await findRecorded())
  if (!first) throw notFound('Contact')
  return first
}

/** The names of the events that are stored. */
export async function listEventNames(db: Db, workspaceId: string) {
  const rows = await store.listNames(db, workspaceId)
  return { items: rows.map(({ name, lastAt }) => ({ name, lastAt: lastAt.toISOString() })), nextCursor: null }
}
