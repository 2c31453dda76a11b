import { sql } from 'kysely'
import type { SendingWindow } from '#contracts/campaign-parts.ts'
import {
  createGate,
  dayAllowance,
  dayBucket,
  dayRoomAt,
  type Gate,
  openGate,
  TOLERANCE_MS,
} from '#server/engine/index.ts'
import { rampLimit, type SendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { windowLength } from './window.ts'

const HOUR = 3_600_000

/** How much longer than its least a person's pause may be: never shorter, so that the limit of a minute holds. */
const JITTER = 0.6

/** How much longer than its least a pause is on average. */
export const MEAN_PAUSE = 1 + JITTER / 2

/** Milliseconds between two messages so that no sliding minute holds more than `perMinute`, below one a minute no sliding 1/perMinute. */
export function minuteStep(perMinute: number): number {
  const whole = Math.floor(perMinute)
  return whole >= 1 ? (60_000 + TOLERANCE_MS) / whole : 60_000 / perMinute + TOLERANCE_MS
}

/** Milliseconds between two messages of a Gmail account at least: by its minute, and where a day is spread, by the day. */
export function pauseOf(
  { perMinute, dayLimit }: Pick<SendingAccount, 'perMinute' | 'dayLimit'>,
  spread: boolean,
  window: SendingWindow | null,
): number {
  const byMinute = perMinute === null ? 0 : minuteStep(perMinute)
  if (!spread) return byMinute
  const length = window ? windowLength(window) : 24 * HOUR
  return Math.max(byMinute, Math.floor(length / Math.max(1, dayLimit ?? 1)))
}

/** A gate with pauses of `step` milliseconds and a random part more, over all workers: the slots come from the sender's row. */
export function humanGate(db: Db, senderId: string, step: number): Gate {
  if (step === 0) return openGate
  return createGate({
    async reserve(count) {
      // Each draw is one slot, which ends with a pause of its own.
      const pause = step * count * (1 + Math.random() * JITTER)
      const { rows } = await sql<{ now: number; first: number }>`
        update senders set pace_at = greatest(pace_at, clock_timestamp()) + make_interval(secs => ${pause / 1000}::float8)
        where id = ${senderId}
        returning extract(epoch from clock_timestamp())::float8 * 1000 as now,
          extract(epoch from pace_at)::float8 * 1000 - ${pause}::float8 as first`.execute(db)
      const { now = 0, first = 0 } = rows[0] ?? {}
      return { now, slots: Array.from({ length: count }, (_, i) => first + (i * pause) / count) }
    },
  })
}

/** Notes messages of a sender that has no limit a day: one may be set at any time, and must hold for the hours before it too. */
export async function countDay(db: Db, senderId: string, count: number): Promise<Date> {
  const bucket = new Date(dayBucket(Date.now()))
  await addUsage(db, senderId, bucket, count)
  return bucket
}

async function addUsage(db: Db, senderId: string, bucket: Date, count: number): Promise<void> {
  await db
    .insertInto('senderUsage')
    .values({ senderId, bucket, count })
    .onConflict((conflict) =>
      conflict.columns(['senderId', 'bucket']).doUpdateSet({ count: sql<number>`sender_usage.count + ${count}` }),
    )
    .execute()
}

/** Reserves up to `wanted` messages of a sender's rolling day. Answers how many, in which bucket, and when one more may be. */
export async function reserveDay(
  db: Db,
  senderId: string,
  wanted: number,
): Promise<{ allowed: number; bucket: Date | null; roomAt: number | null }> {
  return db.transaction().execute(async (db) => {
    const sender = await db
      .selectFrom('senders')
      .where('id', '=', senderId)
      .select(['perDay', 'kind', sql<Date>`clock_timestamp()`.as('now')])
      .forUpdate()
      .executeTakeFirst()
    if (!sender) return { allowed: 0, bucket: null, roomAt: null }
    const now = sender.now.getTime()
    const rows = await db
      .selectFrom('senderUsage')
      .where('senderId', '=', senderId)
      .where('bucket', '>', new Date(now - 25 * HOUR))
      .selectAll()
      .execute()
    const perDay = sender.kind === 'gmail' ? await rampedLimit(db, senderId, sender.perDay ?? 0, now) : sender.perDay
    const buckets = rows.map((row) => ({ start: row.bucket.getTime(), used: row.count }))
    const allowed = perDay === null ? wanted : Math.max(0, Math.min(wanted, dayAllowance(perDay, buckets, now)))
    const bucket = new Date(dayBucket(now))
    if (allowed > 0) {
      await addUsage(db, senderId, bucket, allowed)
      await db
        .deleteFrom('senderUsage')
        .where('senderId', '=', senderId)
        .where('bucket', '<', new Date(now - 26 * HOUR))
        .execute()
    }
    return { allowed, bucket, roomAt: perDay === null ? now : dayRoomAt(perDay, buckets, now) }
  })
}

/** The day's limit of a Gmail account with its slow start, which begins with the first message. */
async function rampedLimit(db: Db, senderId: string, perDay: number, now: number): Promise<number> {
  const row = await db
    .selectFrom('gmailAccounts')
    .where('senderId', '=', senderId)
    .select(['rampUp', 'rampFrom'])
    .executeTakeFirst()
  if (row && !row.rampFrom)
    await db
      .updateTable('gmailAccounts')
      .set({ rampFrom: new Date(now) })
      .where('senderId', '=', senderId)
      .execute()
  return rampLimit(perDay, row?.rampUp ?? true, row?.rampFrom ?? null, now)
}

/** Gives back what was reserved and not handed over. */
export async function giveBackDay(db: Db, senderId: string, bucket: Date | null, count: number): Promise<void> {
  if (!bucket || count <= 0) return
  await db
    .updateTable('senderUsage')
    .set({ count: sql<number>`greatest(0, count - ${count})` })
    .where('senderId', '=', senderId)
    .where('bucket', '=', bucket)
    .execute()
}
