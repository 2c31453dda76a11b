import { sql } from 'kysely'
import { dayAllowance, dayBucket, dayRoomAt } from '#server/engine/index.ts'
import { reserveQuotaUpTo } from '#server/features/billing/index.ts'
import { readPlanLimit } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Queue } from '#server/platform/queue.ts'

const HOUR = 3_600_000

/** Messages reserved before they are claimed: of the sender's rolling day and, where they are counted one by one, of the month. */
export interface Budget {
  /** How many may be claimed now. */
  allowed: number
  /** What there is nothing left of, when none may. */
  lacks: 'day' | 'month' | null
  /** When the day has room for one more, in milliseconds since 1970; null: unknown. */
  roomAt: number | null
  /**
   * Sets what is counted to what was used: of the day `handed`, of the month `sent`. May be said again with less, and after
   * a failure with the same.
   */
  settle(handed: number, sent?: number): Promise<void>
}

/** The emails of a month's limit that are counted as they leave; the others were reserved with their campaign. */
export interface Month {
  queue: Pick<Queue, 'enqueue'>
}

/** Reserves up to `wanted` messages of a sender, and of the month where one is given. */
export async function reserve(
  db: Db,
  workspaceId: string,
  { id, dayLimit }: { id: string; dayLimit: number | null },
  wanted: number,
  month?: Month,
): Promise<Budget> {
  const sender = { workspaceId, id }
  const day = dayLimit === null ? { allowed: wanted, bucket: null, roomAt: null } : await addToDay(db, sender, wanted)
  // What is counted now; a sender without a limit is counted when it is known how many were claimed.
  let { bucket } = day
  let ofDay = bucket ? day.allowed : 0
  const ofMonth =
    month && day.allowed > 0 ? await reserveQuotaUpTo(month, db, workspaceId, 'emails', day.allowed) : null
  const settle = async (handed: number, sent = handed): Promise<void> => {
    if (handed !== ofDay) {
      bucket ??= new Date(dayBucket(Date.now()))
      if (handed > ofDay) await addUsage(db, sender, bucket, handed - ofDay)
      else await subtractUsage(db, sender, bucket, ofDay - handed)
      ofDay = handed
    }
    await ofMonth?.settle(db, sent)
  }
  if (day.allowed === 0) return { allowed: 0, lacks: 'day', roomAt: day.roomAt, settle }
  const allowed = ofMonth ? ofMonth.amount : day.allowed
  if (allowed === 0) await settle(0)
  return { allowed, lacks: allowed === 0 ? 'month' : null, roomAt: day.roomAt, settle }
}

/** A sender by its key. */
interface SenderKey {
  workspaceId: string
  id: string
}

async function addUsage(db: Db, { workspaceId, id }: SenderKey, bucket: Date, count: number): Promise<void> {
  await db
    .insertInto('senderUsage')
    .columns(['workspaceId', 'senderId', 'bucket', 'count'])
    .expression(
      db
        .selectFrom('senders')
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .select([
          'workspaceId',
          'id',
          sql<Date>`${bucket}::timestamptz`.as('bucket'),
          sql<number>`${count}::int`.as('count'),
        ]),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'senderId', 'bucket'])
        .doUpdateSet({ count: sql<number>`sender_usage.count + excluded.count` }),
    )
    .execute()
}

async function subtractUsage(db: Db, { workspaceId, id }: SenderKey, bucket: Date, count: number): Promise<void> {
  await db
    .updateTable('senderUsage')
    .set({ count: sql<number>`greatest(0, count - ${count})` })
    .where('workspaceId', '=', workspaceId)
    .where('senderId', '=', id)
    .where('bucket', '=', bucket)
    .execute()
}

interface DayOfSender {
  id: string
  workspaceId: string
  perDay: number | null
  now: Date
}

/** Reserves up to `wanted` messages of a sender's rolling day. Returns how many, in which bucket, and when one more may be. */
async function addToDay(
  db: Db,
  used: SenderKey,
  wanted: number,
): Promise<{ allowed: number; bucket: Date | null; roomAt: number | null }> {
  return db.transaction().execute(async (db) => {
    const { rows: senders } = await sql<DayOfSender>`
      select id, workspace_id, per_day, clock_timestamp() as now from senders
      where workspace_id = ${used.workspaceId} and id = ${used.id} for update`.execute(db)
    const [sender] = senders
    if (!sender) return { allowed: 0, bucket: null, roomAt: null }
    const now = sender.now.getTime()
    const rows = await db
      .selectFrom('senderUsage')
      .where('workspaceId', '=', sender.workspaceId)
      .where('senderId', '=', used.id)
      .where('bucket', '>', new Date(now - 25 * HOUR))
      .selectAll()
      .execute()
    const { limit, risesAt } = await readPlanLimit(db, sender, sender.now)
    const buckets = rows.map((row) => ({ start: row.bucket.getTime(), used: row.count }))
    const allowed = limit === null ? wanted : Math.max(0, Math.min(wanted, dayAllowance(limit, buckets, now)))
    const bucket = new Date(dayBucket(now))
    if (allowed > 0) {
      await addUsage(db, used, bucket, allowed)
      await db
        .deleteFrom('senderUsage')
        .where('workspaceId', '=', sender.workspaceId)
        .where('senderId', '=', used.id)
        .where('bucket', '<', new Date(now - 26 * HOUR))
        .execute()
    }
    const roomAt = limit === null ? now : dayRoomAt(limit, buckets, now)
    return { allowed, bucket, roomAt: roomAt !== null && risesAt !== null ? Math.min(roomAt, risesAt) : roomAt }
  })
}
