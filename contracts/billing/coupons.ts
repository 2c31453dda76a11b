import { z } from 'zod'
import { PlanName } from '#contracts/accounts/accounts.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, GivenMoment, Id, IdParams, ListOf, Moment } from '#contracts/values.ts'
import { CouponCode, PaidPlan } from './billing.ts'

const Duration = z.enum(['once', 'repeating', 'forever'])

const Coupon = z.object({
  id: Id,
  code: z.string(),
  percentOff: z.number().nullable(),
  /** Cents. */
  amountOff: z.number().nullable(),
  duration: Duration,
  months: z.number().nullable(),
  /** Empty: every paid plan. */
  plans: z.array(z.string()),
  maxUses: z.number().nullable(),
  perUser: z.number(),
  startsAt: Moment.nullable(),
  endsAt: Moment.nullable(),
  active: z.boolean(),
  /** Paid with it, and checkouts that are open with it now. */
  used: z.number().int(),
  held: z.number().int(),
  /** Whether the payment provider knows it. */
  synced: z.boolean(),
  createdAt: Moment,
})
export type Coupon = z.infer<typeof Coupon>

export const NewCoupon = z
  .strictObject({
    code: CouponCode,
    percentOff: z.number().int().min(1).max(100).optional(),
    /** Cents. */
    amountOff: z.number().int().min(1).max(100_000_000).optional(),
    duration: Duration.default('once'),
    months: z.number().int().min(1).max(36).optional(),
    plans: z.array(PaidPlan).max(3).default([]),
    maxUses: z.number().int().min(1).max(1_000_000).optional(),
    perUser: z.number().int().min(1).max(1_000).default(1),
    startsAt: GivenMoment.optional(),
    endsAt: GivenMoment.optional(),
  })
  .superRefine((given, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if ((given.percentOff === undefined) === (given.amountOff === undefined))
      say('percentOff', 'or amountOff is needed, one of the two')
    if (given.duration === 'repeating' && given.months === undefined) say('months', 'is needed for a repeating coupon')
    if (given.duration !== 'repeating' && given.months !== undefined)
      say('months', 'belongs to a repeating coupon only')
    if (given.startsAt && given.endsAt && given.startsAt >= given.endsAt) say('endsAt', 'must be after startsAt')
  })
  .meta({
    examples: [{ code: 'SPRING25', percentOff: 25 }],
    allOf: [
      { oneOf: [{ required: ['percentOff'] }, { required: ['amountOff'] }] },
      {
        if: { properties: { duration: { const: 'repeating' } }, required: ['duration'] },
        // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
        then: { required: ['months'] },
        else: { not: { required: ['months'] } },
      },
    ],
  })

export const coupons = {
  list: endpoint('GET /api/coupons', 'admin', {
    summary: 'List coupons with their use, newest first',
    response: ListOf(Coupon),
  }),
  create: endpoint('POST /api/coupons', 'admin', {
    refusals: [409, 502],
    summary: 'Create a coupon: percentage or amount, duration, plans, maximum uses, start and end',
    status: 201,
    body: NewCoupon,
    response: Coupon,
  }),
  remove: endpoint('DELETE /api/coupons/:id', 'admin', {
    refusals: [502],
    summary: 'Deactivate a coupon; subscriptions that used it stay as they are',
    params: IdParams,
    response: Empty,
  }),
  check: endpoint('POST /api/coupons/check', 'user', {
    refusals: [429],
    summary: 'Check whether a coupon is valid for the caller and a plan, and what the plan costs with it',
    body: z.strictObject({ code: z.string().trim().min(1, 'is required').max(60), plan: PlanName }),
    response: z.object({
      valid: z.boolean(),
      /** What it does, or why it does not hold. */
      message: z.string(),
      code: z.string(),
      percentOff: z.number().nullable(),
      amountOff: z.number().nullable(),
      duration: Duration.nullable(),
      months: z.number().nullable(),
      /** Cents of the first payment with it; null when it does not hold. */
      price: z.object({ month: z.number().int(), year: z.number().int() }).nullable(),
    }),
  }),
}
