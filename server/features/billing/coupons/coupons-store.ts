import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isSpread } from '#server/platform/db/spread.ts'

export type CouponRow = NonNullable<Awaited<ReturnType<typeof couponByCode>>>

const key = (code: string) => code.trim().toLowerCase()

export function couponByCode(db: Db, code: string) {
  return db.selectFrom('coupons').where('codeKey', '=', key(code)).selectAll().executeTakeFirst()
}

export function couponById(db: Db, id: string) {
  return db.selectFrom('coupons').where('id', '=', id).selectAll().executeTakeFirst()
}

export interface CouponFields {
  code: string
  percentOff: number | null
  amountOff: number | null
  duration: string
  months: number | null
  plans: string[]
  maxUses: number | null
  perWorkspace: number
  startsAt: Date | null
  endsAt: Date | null
}

/** Returns nothing when the code is taken. */
export function insertCoupon(db: Db, fields: CouponFields) {
  return db
    .insertInto('coupons')
    .values({ ...fields, codeKey: key(fields.code) })
    .onConflict((conflict) => conflict.column('codeKey').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Every coupon with how many uses of it are paid and how many held by open checkouts; newest first. */
export async function listCoupons(db: Db) {
  const coupons = await db.selectFrom('coupons').selectAll().orderBy('id', 'desc').limit(500).execute()
  const uses = await db
    .selectFrom('couponUses')
    .where('state', '=', 'held')
    .where('couponId', 'in', [...coupons.map(({ id }) => id), '0'])
    .select(['couponId', db.fn.countAll<string>().as('held')])
    .groupBy('couponId')
    .execute()
  const held = new Map(uses.map((use) => [use.couponId, use.held]))
  return coupons.map((coupon) => ({ ...coupon, held: held.get(coupon.id) ?? '0' }))
}

export async function deactivate(db: Db, id: string): Promise<boolean> {
  const row = await db
    .updateTable('coupons')
    .set({ active: false })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function noteProvider(
  db: Db,
  id: string,
  providerCouponId: string,
  providerCodeId: string,
): Promise<void> {
  await db.updateTable('coupons').set({ providerCouponId, providerCodeId }).where('id', '=', id).execute()
}

/** How often a workspace used a coupon or holds it; `except` a checkout that gives way. */
export async function usesBy(db: Db, couponId: string, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('couponUses')
    .where('couponId', '=', couponId)
    .where('workspaceId', '=', workspaceId)
    .select((select) => select.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Counts one use more, unless it is over or used up; a request at the same moment waits for the row, so that the count is exact. */
export async function holdCoupon(db: Db, couponId: string): Promise<boolean> {
  // Spread tables: each node has a copy of the row, and two who lock the copies in different orders would wait for each other.
  if (isSpread()) await sql`select pg_advisory_xact_lock(hashtextextended(${`coupon ${couponId}`}, 0))`.execute(db)
  const row = await db
    .updateTable('coupons')
    .set({ uses: sql<number>`uses + 1` })
    .where('id', '=', couponId)
    .where('active', '=', true)
    .where(sql<boolean>`(max_uses is null or uses < max_uses)
      and (starts_at is null or starts_at <= now()) and (ends_at is null or ends_at > now())`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function noteUse(db: Db, couponId: string, workspaceId: string, checkoutId: string): Promise<void> {
  await db.insertInto('couponUses').values({ couponId, workspaceId, checkoutId }).execute()
}
