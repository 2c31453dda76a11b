import type { SubscriptionStatus } from '#contracts/billing.ts'
import { currency, isPaid, planNamed, plans } from '#contracts/plans.ts'
import { formatDay, formatNumber } from '#web/ui/format.ts'

/** Cents -> "$149", "$119.20". */
export function money(cents: number, of = currency): string {
  const options = { style: 'currency', currency: of, trailingZeroDisplay: 'stripIfInteger' } as const
  return new Intl.NumberFormat('en-US', options).format(cents / 100)
}

/** "Pro"; an unknown plan by its own name. */
export function titleOf(plan: string): string {
  const known = planNamed(plan)
  return known ? plans[known].title : plan
}

/** What comes next for a plan, in one sentence. */
export function renewalOf(status: SubscriptionStatus): string {
  const day = formatDay(status.renewsAt)
  if (!isPaid(status.currentPlan)) return 'Free, without an end.'
  if (status.byHand) return status.renewsAt ? `Set for you until ${day}.` : 'Set for you, without an end date.'
  if (!status.renewsAt) return 'Without an end date.'
  if (status.cancelAtPeriodEnd) return `Cancelled. It stays open until ${day}, then the free plan begins.`
  const price =
    status.price === null ? '' : ` for ${money(status.price)} a ${status.interval}, before taxes and coupons`
  return status.state === 'trialing' ? `Free until ${day}, then it goes on${price}.` : `Renews on ${day}${price}.`
}

/** "At this pace about 1,400 by 30 Nov": nothing in the first days of a month, when nobody can tell. */
export function forecastOf(used: number, limit: number, until: string, now = Date.now()): string | undefined {
  const end = new Date(until)
  const start = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)
  const passed = (now - start) / (end.getTime() - start)
  if (passed < 0.1 || used === 0 || limit === 0) return undefined
  const expected = Math.round(used / passed)
  const last = formatDay(new Date(end.getTime() - 43_200_000).toISOString())
  return expected > limit
    ? `At this pace about ${formatNumber(expected)} by ${last}: more than the plan has.`
    : `At this pace about ${formatNumber(expected)} by ${last}.`
}
