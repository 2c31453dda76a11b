import { planRank } from '#contracts/billing/plans.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
import { findReversal } from './reversals/reversals-store.ts'
import * as store from './store.ts'

/**
 * Sets a workspace's plan by hand, with an end or without, in the caller's transaction. What is paid for stays: a smaller
 * plan than that is refused with 409. `by` is who did it where it is not the caller.
 */
export async function setPlanByHand(
  db: Db,
  workspaceId: string,
  plan: string,
  until: Date | null = null,
  by = '',
): Promise<void> {
  if (until && until.getTime() <= Date.now()) throw invalid('planUntil', 'must be in the future')
  const row = await store.findSubscription(db, workspaceId)
  if (row?.plan && store.isOpen(row) && planRank(plan) < planRank(row.plan))
    throw conflict(
      'pays_itself',
      `This workspace has a paid subscription to the ${row.plan} plan. Cancel the subscription before you set a smaller plan.`,
    )
  await store.setGrant(db, workspaceId, plan, until)
  await store.applyPlan(db, workspaceId, by)
}

/** The refund or dispute that closed a paid plan; null when there is none. */
export async function closedBy(db: Db, row: store.SubscriptionRow | undefined) {
  if (!row?.reversalId) return null
  return (await findReversal(db, row.workspaceId, row.reversalId)) ?? null
}

/** Where a workspace's plan comes from. */
export async function planSource(db: Db, workspaceId: string) {
  const row = await store.findSubscription(db, workspaceId)
  const grant = await store.findGrant(db, workspaceId)
  return {
    planByHand: grant ? { until: grant.until?.toISOString() ?? null } : null,
    planGrantedAt: grant?.grantedAt.toISOString() ?? null,
    planClosedBy: await closedBy(db, row),
    subscription: row?.plan && row.status !== 'none' ? { plan: row.plan, status: row.status } : null,
  }
}
