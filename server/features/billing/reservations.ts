/** What is taken of a month's limit before it is known how much of it is needed. The rest is given back here and nowhere else. */
import { planLimits } from '#contracts/billing/plans.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type LimitServices, usedUp } from './limits.ts'
import * as store from './usage-store.ts'
import { type CountedUse, findPlanName } from './usage-store.ts'
import { warnWhenCrossed } from './warnings.ts'

export interface Reservation {
  /** How much was reserved. */
  readonly amount: number
  /** Sets what is counted to what was used, in the transaction that knows it. May be said again with less. */
  settle(db: Db, used: number): Promise<void>
}

function createReservation(workspaceId: string, what: CountedUse, amount: number): Reservation {
  let counted = amount
  return {
    amount,
    async settle(db, used) {
      if (used >= counted) return
      await store.subtract(db, workspaceId, what, counted - used)
      counted = used
    },
  }
}

/**
 * Reserves some of a month's limit, all of it or nothing, exactly, however many ask at once. Give it the transaction of the
 * work itself: what is rolled back was not used. Throws Refusal 402.
 */
export async function reserveQuota(
  context: LimitServices,
  db: Db,
  workspaceId: string,
  what: CountedUse,
  amount: number,
): Promise<Reservation> {
  if (amount > 0) {
    const limit = planLimits(await findPlanName(db, workspaceId))[what]
    const used = await store.add(db, workspaceId, what, amount, limit)
    if (used === undefined) throw usedUp(what, amount, await store.countUsed(db, workspaceId, what), limit)
    await warnWhenCrossed(context, db, workspaceId, what, used - amount, used, limit)
  }
  return createReservation(workspaceId, what, Math.max(0, amount))
}

/** The same for work that can go on with less: reserves up to `amount`. An amount of 0: nothing is left. */
export async function reserveQuotaUpTo(
  context: LimitServices,
  db: Db,
  workspaceId: string,
  what: CountedUse,
  amount: number,
): Promise<Reservation> {
  const limit = planLimits(await findPlanName(db, workspaceId))[what]
  const { added, used } = await store.addUpTo(db, workspaceId, what, amount, limit)
  await warnWhenCrossed(context, db, workspaceId, what, used - added, used, limit)
  return createReservation(workspaceId, what, added)
}

/** Changes a reservation of this month whose amount is stored elsewhere from `reserved` to `wanted`. Throws Refusal 402. */
export async function changeReservation(
  context: LimitServices,
  db: Db,
  workspaceId: string,
  what: CountedUse,
  reserved: number,
  wanted: number,
): Promise<void> {
  if (wanted > reserved) await reserveQuota(context, db, workspaceId, what, wanted - reserved)
  else await createReservation(workspaceId, what, reserved).settle(db, wanted)
}
