import type { Interval } from '#contracts/billing/billing.ts'
import { plans, trialDays } from '#contracts/billing/plans.ts'
import { formatDay } from '#web/ui/lib/format.ts'
import { type CheckedCoupon, money } from './labels.ts'
import type { PaidName } from './queries.ts'

interface Order {
  plan: PaidName
  interval: Interval
  /** Whether it starts with a trial. */
  trial: boolean
  /** What the check of a coupon said; one that does not apply counts as none. */
  coupon?: CheckedCoupon | undefined
}

export interface OrderSummary {
  /** Cents, all before taxes. */
  price: number
  discount: number
  today: number
  /** The last day of the trial; null without one. */
  trialUntil: string | null
  /** What is paid after today, and when. */
  next: string
}

const DAY_MS = 86_400_000

/** The same day of the next month or year, or the last day of a shorter month. */
function addInterval(from: Date, interval: Interval): Date {
  const months = from.getUTCMonth() + (interval === 'year' ? 12 : 1)
  const last = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate()
  return new Date(
    Date.UTC(
      from.getUTCFullYear(),
      months,
      Math.min(from.getUTCDate(), last),
      from.getUTCHours(),
      from.getUTCMinutes(),
    ),
  )
}

/** How many payments a coupon reduces. */
function countReduced({ duration, months }: CheckedCoupon, interval: Interval): number {
  if (duration === 'forever') return Number.POSITIVE_INFINITY
  if (duration === 'repeating') return interval === 'year' ? Math.ceil((months ?? 1) / 12) : (months ?? 1)
  return 1
}

/** What an order costs today and later, at list prices and with its coupon. */
export function summarizeOrder({ plan, interval, trial, coupon }: Order, now = new Date()): OrderSummary {
  const price = plans[plan].price[interval]
  const reduced = (coupon?.valid && coupon.price?.[interval]) ?? price
  const first = reduced === false ? price : reduced
  const trialEnd = new Date(now.getTime() + trialDays * DAY_MS)
  // Without a trial the first payment is today's.
  const left = (first < price && coupon ? countReduced(coupon, interval) : 0) - (trial ? 0 : 1)
  const day = formatDay((trial ? trialEnd : addInterval(now, interval)).toISOString())
  const every = `${money(price)} every ${interval}`
  const next =
    left <= 0
      ? `${every} from ${day}`
      : left === Number.POSITIVE_INFINITY
        ? `${money(first)} every ${interval} from ${day}`
        : left === 1
          ? `${money(first)} on ${day}, then ${every}`
          : `${money(first)} every ${interval} from ${day}, ${left} times, then ${every}`
  return {
    price,
    discount: price - first,
    today: trial ? 0 : first,
    trialUntil: trial ? formatDay(trialEnd.toISOString()) : null,
    next,
  }
}
