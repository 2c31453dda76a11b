import type { Interval, ReversalState, SubscriptionStatus } from '#contracts/billing/billing.ts'
import type { coupons } from '#contracts/billing/coupons.ts'
import { currency, isPaid, planNamed, plans } from '#contracts/billing/plans.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { formatDay, formatNumber } from '#web/ui/lib/format.ts'

const inMoney = (cents: number, of: string, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: of, ...options }).format(cents / 100)

/** An amount that is charged or was paid: cents -> "$149.00". */
export const money = (cents: number, of = currency): string => inMoney(cents, of)

/** The price of a plan or a discount: cents -> "$149", "$119.20". */
export const price = (cents: number): string => inMoney(cents, currency, { trailingZeroDisplay: 'stripIfInteger' })

/** What the contacts of a plan cost a month, as "$2.90 per 1,000 contacts"; emails where contacts have no limit. */
export function describeUnitPrice(name: 'starter' | 'pro' | 'business', interval: Interval): string {
  const { price: prices, contacts, emails } = plans[name]
  const monthly = interval === 'year' ? prices.year / 12 : prices.month
  return contacts === null
    ? `${money((monthly / emails) * 1_000)} per 1,000 emails`
    : `${money((monthly / contacts) * 1_000)} per 1,000 contacts`
}

/** What the check of a coupon for a plan says. */
export type CheckedCoupon = ResponseBody<typeof coupons.check>

/** "20% off the first payment. Applies to Starter." of a coupon that was checked for each plan. */
export function describeAppliedCoupon(valid: CheckedCoupon, byPlan: Partial<Record<string, CheckedCoupon>>): string {
  const covered = Object.entries(byPlan).filter(([, check]) => check?.valid)
  if (covered.length === Object.keys(byPlan).length) return valid.message
  const titles = new Intl.ListFormat('en-US').format(covered.map(([name]) => planTitle(name)))
  return `${valid.message} Applies to ${titles}.`
}

/** "Pro"; an unknown plan by its own name. */
export function planTitle(plan: string): string {
  const known = planNamed(plan)
  return known ? plans[known].title : plan
}

/** What comes next for a plan, in one sentence. */
export function describeRenewal(status: SubscriptionStatus): string {
  const day = formatDay(status.renewsAt)
  if (!isPaid(status.currentPlan)) return 'Free forever.'
  if (status.byHand) return status.renewsAt ? `Set for you until ${day}.` : 'Set for you, with no end date.'
  if (!status.renewsAt) return 'No end date.'
  if (status.cancelAtPeriodEnd) return `Canceled. Your plan stays active until ${day}, then you move to the free plan.`
  const cost = status.price === null ? '' : ` for ${price(status.price)} a ${status.interval}, before taxes and coupons`
  return status.state === 'trialing'
    ? `Free until ${day}, then your plan continues${cost}.`
    : `Renews on ${day}${cost}.`
}

/** "At this pace about 1,400 by 30 Nov": nothing in the first days of a month, when nobody can tell. */
export function describeForecast(used: number, limit: number, until: string, now = Date.now()): string | undefined {
  const end = new Date(until)
  const start = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)
  const passed = (now - start) / (end.getTime() - start)
  if (passed < 0.1 || used === 0 || limit === 0) return undefined
  const expected = Math.round(used / passed)
  const last = formatDay(new Date(end.getTime() - 43_200_000).toISOString())
  return expected > limit
    ? `At this pace, about ${formatNumber(expected)} by ${last}, which is over your limit.`
    : `At this pace, about ${formatNumber(expected)} by ${last}.`
}

/** What a refund or dispute came to, the same for the customer and the admin. */
export const reversalLabels: Record<ReversalState, string> = {
  pending: 'Refund pending',
  refunded: 'Refunded',
  failed: 'Refund failed',
  inquiry: 'Inquiry',
  open: 'Disputed',
  won: 'Dispute rejected',
  lost: 'Dispute accepted',
}

/** "requested_by_customer" -> "Requested by customer"; a dash for no reason. */
export function reasonLabel(reason: string): string {
  return reason === '' ? '-' : reason.charAt(0).toUpperCase() + reason.slice(1).replaceAll('_', ' ')
}
