import { z } from 'zod'
import { PlanName } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Moment } from './values.ts'

/** What a plan limits. null is without a limit. */
const Limits = z.object({
  contacts: z.number().nullable(),
  emails: z.number(),
  senders: z.number(),
  pages: z.number(),
  whatsappMessages: z.number(),
  seats: z.number(),
})

/** What is used of it: contacts, senders and seats now, the rest this month, what running campaigns reserved included. */
const Usage = Limits.extend({ contacts: z.number() })

export const Interval = z.enum(['month', 'year'])
export type Interval = z.infer<typeof Interval>
export const PaidPlan = PlanName.exclude(['free'])

/** A coupon's code: letters, digits, - and _. */
export const CouponCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{3,40}$/, 'must be 3 to 40 letters, digits, - or _')

/** Where paying goes: the real provider, the stand-in on this machine, or nowhere. */
const Payments = z.enum(['real', 'sandbox', 'none'])

/** How a subscription stands: `none` without one, `pastDue` after a payment failed, `ended` once it is over. */
export const SubscriptionState = z.enum(['none', 'trialing', 'active', 'pastDue', 'ended'])

const Status = z.object({
  currentPlan: z.string(),
  /** When it is paid for the next time, or ends; null without an end. */
  renewsAt: Moment.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  usage: Usage,
  limits: Limits,
  /** When this month's counts begin anew. */
  usageUntil: Moment,
  state: SubscriptionState,
  interval: Interval.nullable(),
  /** Cents a period; null without a subscription. */
  price: z.number().int().nullable(),
  trialEndsAt: Moment.nullable(),
  /** Whether a first subscription would begin with a trial. */
  trialOpen: z.boolean(),
  /** Since when payments fail. */
  paymentFailedAt: Moment.nullable(),
  /** The plan was set by an admin, for bank transfer and the like. */
  byHand: z.object({ until: Moment.nullable() }).nullable(),
  payments: Payments,
})
export type SubscriptionStatus = z.infer<typeof Status>

const Invoice = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  /** Cents. */
  total: z.number().int(),
  currency: z.string(),
  createdAt: Moment,
  url: z.string().nullable(),
})
export type Invoice = z.infer<typeof Invoice>

const Choice = z.strictObject({ plan: PaidPlan, interval: Interval })
const Url = z.object({ url: z.string() })

export const billing = {
  plans: endpoint('GET /api/plans', 'public', {
    summary: 'Every plan with its prices in cents, its limits and its tools',
    answer: z.object({
      currency: z.string(),
      trialDays: z.number().int(),
      payments: Payments,
      items: z.array(
        z.object({
          name: PlanName,
          title: z.string(),
          purpose: z.string(),
          price: z.object({ month: z.number().int(), year: z.number().int() }),
          limits: Limits,
          tools: z.array(z.string()),
        }),
      ),
      nextCursor: z.null(),
    }),
  }),
  status: endpoint('GET /api/subscription/status', 'user', {
    summary: 'The plan, what it allows, what is used of it and when it renews',
    answer: Status,
  }),
  checkout: endpoint('POST /api/billing/checkout', 'user', {
    summary: 'Open the page where a first subscription is paid; its price is ours, whatever is asked',
    body: Choice.extend({ coupon: CouponCode.optional() }),
    answer: Url,
  }),
  paymentStatus: endpoint('GET /api/billing/payment-status', 'user', {
    summary: 'What became of a checkout; asks the provider itself while it is pending',
    query: z.object({ session_id: z.string().min(1).max(200) }),
    answer: z.object({
      state: z.enum(['paid', 'pending', 'failed']),
      plan: PaidPlan,
      interval: Interval,
      /** Where to pay while nothing was; null once something is under way or over. */
      url: z.string().nullable(),
    }),
  }),
  portal: endpoint('POST /api/billing/portal', 'user', {
    summary: 'Open the page where the card is changed and invoices are kept',
    answer: Url,
  }),
  preview: endpoint('POST /api/billing/preview', 'user', {
    summary: 'What a change of plan costs now, in cents: below nothing is credited',
    body: Choice,
    answer: z.object({ due: z.number().int(), currency: z.string(), renewal: z.number().int() }),
  }),
  change: endpoint('POST /api/billing/change', 'user', {
    summary: 'Change the plan at once; the difference is collected first, or credited',
    body: Choice,
    answer: Status,
  }),
  cancel: endpoint('POST /api/billing/cancel', 'user', {
    summary: 'End the subscription with the period that is paid for',
    answer: Status,
  }),
  resume: endpoint('POST /api/billing/resume', 'user', {
    summary: 'Take a cancellation back while the period lasts',
    answer: Status,
  }),
  invoices: endpoint('GET /api/billing/invoices', 'user', {
    summary: 'The last invoices, newest first',
    answer: z.object({ items: z.array(Invoice), nextCursor: z.null() }),
  }),
  webhook: endpoint('POST /api/billing/webhook', 'public', {
    summary: 'Where Stripe reports what happened: signed, in any order, as often as it likes',
    answer: z.object({ received: z.boolean() }),
  }),
}
