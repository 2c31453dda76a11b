import { sql } from 'kysely'
import { createGate, dayAllowance, dayBucket, type Gate, openGate, slotStep } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A gate that lets at most `perSecond` messages through in any second, over all workers: the slots come from the sender's row. */
export function gateOf(db: Db, senderId: string, perSecond: number | null): Gate {
  if (perSecond === null) return openGate
  const step = slotStep(perSecond)
  return createGate({
    async reserve(count) {
      const { rows } = await sql<{ now: number; last: number }>`
        update senders set pace_at = greatest(pace_at, clock_timestamp()) + make_interval(secs => ${(step * count) / 1000}::float8)
        where id = ${senderId}
        returning extract(epoch from clock_timestamp())::float8 * 1000 as now, extract(epoch from pace_at)::float8 * 1000 as last`.execute(
        db,
      )
      const { now = 0, last = 0 } = rows[0] ?? {}
      return { now, slots: Array.from({ length: count }, (_, i) => last - (count - i) * step) }
    },
  })
}

const HOUR = 3_600_000

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

/** Reserves up to `wanted` messages of a sender's rolling day. Answers how many, and in which bucket. */
export async function reserveDay(
  db: Db,
  senderId: string,
  wanted: number,
): Promise<{ allowed: number; bucket: Date | null }> {
  return db.transaction().execute(async (db) => {
    const sender = await db
      .selectFrom('senders')
      .where('id', '=', senderId)
      .select(['perDay', sql<Date>`clock_timestamp()`.as('now')])
      .forUpdate()
      .executeTakeFirst()
    if (!sender) return { allowed: 0, bucket: null }
    const now = sender.now.getTime()
    const rows = await db
      .selectFrom('senderUsage')
      .where('senderId', '=', senderId)
      .where('bucket', '>', new Date(now - 25 * HOUR))
      .selectAll()
      .execute()
    const buckets = rows.map((row) => ({ start: row.bucket.getTime(), used: row.count }))
    const allowed =
      sender.perDay === null ? wanted : Math.max(0, Math.min(wanted, dayAllowance(sender.perDay, buckets, now)))
    const bucket = new Date(dayBucket(now))
    if (allowed > 0) {
      await addUsage(db, senderId, bucket, allowed)
      await db
        .deleteFrom('senderUsage')
        .where('senderId', '=', senderId)
        .where('bucket', '<', new Date(now - 26 * HOUR))
        .execute()
    }
    return { allowed, bucket }
  })
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
