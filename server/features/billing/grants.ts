import { rankOf } from '#contracts/plans.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, invalid } from '#server/platform/http/refusal.ts'
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
  if (until && until.getTime() <= Date.now()) throw invalid('planUntil', 'is over already')
  const row = await store.subscriptionOf(db, workspaceId)
  if (row?.plan && store.LIVE.includes(row.status) && rankOf(plan) < rankOf(row.plan))
    throw conflict(
      'pays_itself',
      `This workspace pays for the ${row.plan} plan itself. A smaller plan by hand would take away what is paid for; the subscription has to be cancelled first.`,
    )
  await store.setGrant(db, workspaceId, plan, until, '')
  await store.applyPlan(db, workspaceId, by)
}

/** Where a workspace's plan comes from. */
export async function planSource(db: Db, workspaceId: string) {
  const row = await store.subscriptionOf(db, workspaceId)
  const grant = await store.grantOf(db, workspaceId)
  return {
    planByHand: grant ? { until: grant.until?.toISOString() ?? null } : null,
    subscription: row?.plan && row.status !== 'none' ? { plan: row.plan, status: row.status } : null,
  }
}
