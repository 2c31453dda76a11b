import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

export type CheckoutRow = NonNullable<Awaited<ReturnType<typeof findOpenCheckout>>>

/** The one checkout of a workspace that can be paid. */
export function findOpenCheckout(db: Db, workspaceId: string) {
  return db
    .selectFrom('checkouts')
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'open')
    .selectAll()
    .executeTakeFirst()
}

export function checkoutBySession(db: Db, workspaceId: string, sessionId: string) {
  return db
    .selectFrom('checkouts')
    .where('workspaceId', '=', workspaceId)
    .where('sessionId', '=', sessionId)
    .selectAll()
    .executeTakeFirst()
}

export function insertCheckout(
  db: Db,
  given: { workspaceId: string; plan: string; billingInterval: string; couponId: string | null; expiresAt: Date },
) {
  return db.insertInto('checkouts').values(given).returningAll().executeTakeFirstOrThrow()
}

type CheckoutKey = Pick<CheckoutRow, 'workspaceId' | 'id'>

/** Notes where a checkout is paid. Returns whether it is still the one that counts. */
export async function noteSession(
  db: Db,
  { workspaceId, id }: CheckoutKey,
  sessionId: string,
  url: string,
): Promise<boolean> {
  const row = await db
    .updateTable('checkouts')
    .set({ sessionId, url })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a checkout and with it what it holds of its coupon: used once paid, free again otherwise. A second ending changes nothing. */
export async function endCheckout(
  db: Db,
  { workspaceId, id }: CheckoutKey,
  state: 'paid' | 'failed' | 'replaced',
): Promise<void> {
  // What was given up and paid all the same is paid.
  const from = state === 'paid' ? ['open', 'failed', 'replaced'] : ['open']
  const row = await db
    .updateTable('checkouts')
    .set({ state })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning(['couponId'])
    .executeTakeFirst()
  if (!row?.couponId) return
  if (state === 'paid') {
    await db
      .updateTable('couponUses')
      .set({ state: 'used' })
      .where('workspaceId', '=', workspaceId)
      .where('checkoutId', '=', id)
      .execute()
    return
  }
  const released = await db
    .deleteFrom('couponUses')
    .where('workspaceId', '=', workspaceId)
    .where('checkoutId', '=', id)
    .where('state', '=', 'held')
    .returning('couponId')
    .executeTakeFirst()
  if (released)
    await db.updateTable('coupons').set({ uses: sql<number>`uses - 1` }).where('id', '=', row.couponId).execute()
}

/**
 * Ends a checkout that another one replaces or whose page could not be opened, unless a page of it was opened since the row was read:
 * then it can be paid, and has to be taken back at the provider first. Returns whether the checkout is over.
 */
export async function endUnlessOpened(db: Db, row: CheckoutRow, state: 'failed' | 'replaced'): Promise<boolean> {
  const now = await db
    .selectFrom('checkouts')
    .where('workspaceId', '=', row.workspaceId)
    .where('id', '=', row.id)
    .select(['state', 'sessionId'])
    .forUpdate()
    .executeTakeFirst()
  if (now?.state === 'open' && now.sessionId !== row.sessionId) return false
  await endCheckout(db, row, state)
  return true
}

/** Checkouts nobody paid in time, or that never got as far as a page. */
export async function overdueCheckouts(
  db: Db,
): Promise<{ id: string; workspaceId: string; sessionId: string | null }[]> {
  return db
    .selectFrom('checkouts')
    .where('state', '=', 'open')
    .where('expiresAt', '<', sql<Date>`now() - interval '5 minutes'`)
    .select(['id', 'workspaceId', 'sessionId'])
    .limit(200)
    .execute()
}
