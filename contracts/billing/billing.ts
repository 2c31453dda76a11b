import { z } from 'zod'
import { PlanName } from '#contracts/accounts/accounts.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { ListOf, Moment } from '#contracts/values.ts'

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

/** Where paying goes: the real provider, the emulator on this machine, or nowhere. */
const Payments = z.enum(['real', 'sandbox', 'none'])

/** How a subscription stands: `none` without one, `pastDue` after a payment failed, `ended` once it is over. */
export const SubscriptionState = z.enum(['none', 'trialing', 'active', 'pastDue', 'ended'])

/**
 * How a refund or dispute stands. A refund is `pending`, `refunded` or `failed`. A dispute is an `inquiry` as long as no
 * money was taken, then `open`; `won` when the payment stands, `lost` when it was returned to the payer.
 */
export const ReversalState = z.enum(['pending', 'refunded', 'failed', 'inquiry', 'open', 'won', 'lost'])
export type ReversalState = z.infer<typeof ReversalState>

export const PaymentReversal = z.object({
  id: z.string(),
  kind: z.enum(['refund', 'dispute']),
  state: ReversalState,
  /** Cents. */
  amount: z.number().int(),
  currency: z.string(),
  /** The provider's word, such as `requested_by_customer` or `fraudulent`; empty when none was given. */
  reason: z.string(),
  createdAt: Moment,
  /** What was paid; null for a payment without an invoice. */
  invoice: z.object({ id: z.string(), number: z.string(), url: z.string().nullable() }).nullable(),
})
export type PaymentReversal = z.infer<typeof PaymentReversal>

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
  /** The refund or dispute that closed the paid plan; null when there is none. */
  closedBy: PaymentReversal.nullable(),
  payments: Payments,
})
export type SubscriptionStatus = z.infer<typeof Status>

export const Invoice = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  /** Cents. */
  total: z.number().int(),
  /** Cents that were refunded. */
  refunded: z.number().int(),
  /** Whether a dispute of its payment is open or lost. */
  disputed: z.boolean(),
  currency: z.string(),
  createdAt: Moment,
  url: z.string().nullable(),
})
export type Invoice = z.infer<typeof Invoice>

const Choice = z.strictObject({ plan: PaidPlan, interval: Interval })
const Url = z.object({ url: z.string() })

export const billing = {
  plans: endpoint('GET /api/plans', 'public', {
    summary: 'List the plans with prices in cents, limits and tools',
    response: z.object({
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
    summary: 'Get the current plan with its limits, usage and renewal date',
    response: Status,
  }),
  checkout: endpoint('POST /api/billing/checkout', 'user', {
    refusals: [402, 409, 502],
    summary: 'Create a checkout for a first subscription; the price is always that of the plan',
    body: Choice.extend({ coupon: CouponCode.optional() }),
    response: Url,
  }),
  paymentStatus: endpoint('GET /api/billing/payment-status', 'user', {
    refusals: [404, 502],
    summary: 'Get the state of a checkout; asks the provider while it is pending',
    query: z.object({ session_id: z.string().min(1).max(200) }),
    response: z.object({
      state: z.enum(['paid', 'pending', 'failed']),
      plan: PaidPlan,
      interval: Interval,
      /** Where to pay while nothing was; null once something is under way or over. */
      url: z.string().nullable(),
    }),
  }),
  portal: endpoint('POST /api/billing/portal', 'user', {
    refusals: [409, 502],
    summary: 'Open the billing portal for payment methods and invoices',
    response: Url,
  }),
  preview: endpoint('POST /api/billing/preview', 'user', {
    refusals: [409, 502],
    summary: 'Preview what a plan change costs now, in cents; a negative amount is credited',
    body: Choice,
    response: z.object({ due: z.number().int(), currency: z.string(), renewal: z.number().int() }),
  }),
  change: endpoint('POST /api/billing/change', 'user', {
    refusals: [402, 409, 502],
    summary: 'Change the plan immediately; the difference is charged first, or credited',
    body: Choice,
    response: Status,
  }),
  cancel: endpoint('POST /api/billing/cancel', 'user', {
    refusals: [409, 502],
    summary: 'Cancel the subscription at the end of the paid period',
    response: Status,
  }),
  resume: endpoint('POST /api/billing/resume', 'user', {
    refusals: [409, 502],
    summary: 'Undo a cancellation before the period ends',
    response: Status,
  }),
  invoices: endpoint('GET /api/billing/invoices', 'user', {
    summary: 'List the last invoices, newest first',
    response: ListOf(Invoice),
  }),
  reversals: endpoint('GET /api/billing/reversals', 'user', {
    summary: 'The last refunds and disputes of payments, newest first',
    response: ListOf(PaymentReversal),
  }),
  webhook: endpoint('POST /api/billing/webhook', 'public', {
    summary: 'Receive webhook events of Stripe: signed, in any order, possibly repeated',
    response: z.object({ received: z.boolean() }),
  }),
}
