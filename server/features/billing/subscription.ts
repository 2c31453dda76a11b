import type { SubscriptionStatus } from '#contracts/billing/billing.ts'
import { currency, planLimits, plans } from '#contracts/billing/plans.ts'
import type { Payments } from '#server/adapters/stripe/client.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { closedBy } from './grants.ts'
import { invoicePresenter } from './invoices.ts'
import { monthEnds } from './limits.ts'
import { limitsIn } from './plans.ts'
import { asked, type Interval, lookupKey, type PaidPlan, priceId, requirePayments } from './provider.ts'
import { findReversals } from './reversals/reversals-store.ts'
import * as store from './store.ts'
import { syncWorkspace } from './sync.ts'
import * as usage from './usage-store.ts'

interface PlanChoice {
  plan: PaidPlan
  interval: Interval
}

const states: Record<string, SubscriptionStatus['state']> = {
  none: 'none',
  trialing: 'trialing',
  active: 'active',
  past_due: 'pastDue',
}

export const paymentsMode = ({ payments, config }: Services) =>
  !payments ? 'none' : config.stripe ? 'real' : 'sandbox'

/** The caller's plan: what it allows, what is used of it, when it renews. */
export async function readSubscriptionStatus(
  services: Services,
  { workspaceId }: Pick<Caller, 'workspaceId'>,
): Promise<SubscriptionStatus> {
  const { db } = services
  const row = await store.findSubscription(db, workspaceId)
  const live = row && store.isOpen(row) ? row : undefined
  const grant = await store.findGrant(db, workspaceId)
  const plan = await usage.findPlanName(db, workspaceId)
  const isByHand = plan.toLowerCase() !== 'free' && plan !== live?.plan
  const ends = isByHand ? (grant?.until ?? null) : (live?.periodEnd ?? null)
  return {
    currentPlan: plan,
    renewsAt: ends?.toISOString() ?? null,
    cancelAtPeriodEnd: isByHand ? ends !== null : (live?.cancelAtPeriodEnd ?? false),
    usage: { ...(await usage.usageNow(db, workspaceId)), seats: 1 },
    limits: limitsIn(planLimits(plan)),
    usageUntil: monthEnds().toISOString(),
    state: row?.reversalId ? 'ended' : (states[row?.status ?? 'none'] ?? 'ended'),
    interval: (live?.billingInterval as Interval | undefined) ?? null,
    price:
      live?.plan && live.billingInterval ? plans[live.plan as PaidPlan].price[live.billingInterval as Interval] : null,
    trialEndsAt: live?.status === 'trialing' ? (live.trialEnd?.toISOString() ?? null) : null,
    trialOpen: !row?.trialUsed,
    paymentFailedAt: live?.failedAt?.toISOString() ?? null,
    byHand: isByHand ? { until: grant?.until?.toISOString() ?? null } : null,
    closedBy: await closedBy(db, row),
    payments: paymentsMode(services),
  }
}

async function requireLiveSubscription(
  services: Services,
  { workspaceId }: Caller,
): Promise<{ payments: Payments; row: store.SubscriptionRow; id: string }> {
  const payments = requirePayments(services)
  const row = await store.findSubscription(services.db, workspaceId)
  if (!row?.subscriptionId || !store.isOpen(row))
    throw conflict('no_subscription', 'You have no subscription. Choose a plan first.')
  return { payments, row, id: row.subscriptionId }
}

/** Ends the subscription with the period that is paid for, or takes that back. Saying it twice changes nothing. */
export async function setEnding(services: Services, caller: Caller, ends: boolean): Promise<SubscriptionStatus> {
  const { payments, id } = await requireLiveSubscription(services, caller)
  await asked(payments.api.subscriptions.update(id, { cancel_at_period_end: ends }))
  await asked(syncWorkspace(services, caller.workspaceId))
  return readSubscriptionStatus(services, caller)
}

async function changeTo(services: Services, caller: Caller, { plan, interval }: PlanChoice) {
  const { payments, row, id } = await requireLiveSubscription(services, caller)
  if (row.status === 'past_due')
    throw conflict(
      'payment_failed',
      'The last payment did not go through. Change your card first; then the plan can be changed.',
    )
  const subscription = await asked(payments.api.subscriptions.retrieve(id))
  const item = subscription.items.data[0]
  if (!item || item.price.lookup_key === lookupKey(plan, interval))
    throw conflict('same_plan', 'You are already on this plan. Nothing was charged.')
  return { payments, id, items: [{ id: item.id, price: await asked(priceId(payments, plan, interval)) }] }
}

/** What a change would cost now, by the provider's own reckoning. */
export async function previewChange(services: Services, caller: Caller, choice: PlanChoice) {
  const { payments, id, items } = await changeTo(services, caller, choice)
  const preview = await asked(
    payments.api.invoices.createPreview({
      subscription: id,
      subscription_details: { items, proration_behavior: 'always_invoice' },
    }),
  )
  return { due: preview.total, currency, renewal: plans[choice.plan].price[choice.interval] }
}

/** Changes the plan at once. The difference is collected first: a declined card leaves everything as it was. */
export async function changePlan(services: Services, caller: Caller, choice: PlanChoice): Promise<SubscriptionStatus> {
  const { payments, id, items } = await changeTo(services, caller, choice)
  await asked(
    payments.api.subscriptions.update(id, {
      items,
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      cancel_at_period_end: false,
    }),
  )
  await asked(syncWorkspace(services, caller.workspaceId))
  return readSubscriptionStatus(services, caller)
}

/** Opens the provider's page for cards and invoices. */
export async function openPortal(services: Services, { workspaceId }: Caller): Promise<{ url: string }> {
  const { api } = requirePayments(services)
  const row = await store.findSubscription(services.db, workspaceId)
  if (!row?.customerId) throw conflict('no_subscription', 'You have no subscription. Choose a plan first.')
  const portal = await asked(
    api.billingPortal.sessions.create({ customer: row.customerId, return_url: `${services.config.publicUrl}/plan` }),
  )
  return { url: portal.url }
}

/** The last invoices, with what of them was refunded or disputed. */
export async function listInvoices({ db }: Services, { workspaceId }: Caller) {
  const rows = await store.listInvoices(db, workspaceId)
  return wholeList(rows.map(await invoicePresenter(db, [workspaceId])))
}

/** The last refunds and disputes. */
export async function listReversals({ db }: Services, { workspaceId }: Caller) {
  return wholeList(await findReversals(db, workspaceId))
}
