import { createHash } from 'node:crypto'
import { currency, plans } from '#contracts/billing/plans.ts'
import type { Payments } from '#server/adapters/stripe/client.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'

export type Interval = 'month' | 'year'
export type PaidPlan = Exclude<keyof typeof plans, 'free'>

/** What the library throws, in the little that is looked at. */
interface Failure {
  type?: string
  code?: string
  param?: string
  statusCode?: number
}

const toFailure = (error: unknown) => error as Failure
export const isMissing = (error: unknown, param?: string) =>
  toFailure(error).code === 'resource_missing' && (param === undefined || toFailure(error).param === param)

/** A payment that cannot be refunded because the payer has it back already. */
export const isReturned = (error: unknown) =>
  ['charge_already_refunded', 'charge_disputed'].includes(toFailure(error).code ?? '')

/** The key has no right to what was asked, or the provider has no such thing to ask: trying again changes nothing. */
export const isNotAllowed = (error: unknown) => [403, 404].includes(toFailure(error).statusCode ?? 0)

/** The provider was not reached or not able to answer: trying again later may help. */
export const isAway = (error: unknown) =>
  ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError'].includes(toFailure(error).type ?? '')

/** Payments, or Refusal 503 where none are set up. */
export function requirePayments({ payments }: Pick<Services, 'payments'>): Payments {
  if (payments) return payments
  throw new Refusal(
    503,
    'payments_not_configured',
    'Payments are not configured on this installation. Nothing was charged. Its operator can set your plan manually.',
  )
}

/** Runs a call to the provider and says in words for people why it failed. */
export async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (toFailure(error).type === 'StripeCardError')
      throw new Refusal(
        402,
        'card_declined',
        'The card was declined. Nothing was charged and your plan did not change. Use another card, then try again.',
      )
    if (isAway(error))
      throw new Refusal(
        503,
        'payments_unavailable',
        'The payment provider is not responding. Nothing was charged or changed. Try again in a few minutes.',
        { retryAfter: 60 },
      )
    throw error
  }
}

/** Begins every key of idempotency: several installations may share one account at the provider. */
export const installationKey = ({ config }: Pick<Services, 'config'>) =>
  createHash('sha256').update(`billing of ${config.secretKey}`).digest('hex').slice(0, 16)

/** The name a price has at the provider. It holds the amount, so that a new price of ours is another one there. */
export const lookupKey = (plan: PaidPlan, interval: Interval) =>
  `postlark_${plan}_${interval}_${plans[plan].price[interval]}_${currency.toLowerCase()}`

/** What a price of ours is for; nothing for another's. */
export function priceMeans(key: string | null | undefined): { plan: PaidPlan; interval: Interval } | undefined {
  const [, plan, interval] = /^postlark_(starter|pro|business)_(month|year)_\d+_[a-z]{3}$/.exec(key ?? '') ?? []
  return plan && interval ? { plan: plan as PaidPlan, interval: interval as Interval } : undefined
}

export const productId = (plan: PaidPlan) => `postlark_${plan}`

/** Makes a plan's product, unless the provider has it. */
export async function ensureProduct({ api }: Payments, plan: PaidPlan): Promise<string> {
  const id = productId(plan)
  try {
    await api.products.retrieve(id)
  } catch (error) {
    if (!isMissing(error)) throw error
    const params = { id, name: `Postlark ${plans[plan].title}`, metadata: { plan } }
    await api.products.create(params).catch((second: unknown) => {
      // Somebody else made it in this moment.
      if (toFailure(second).code !== 'resource_already_exists') throw second
    })
  }
  return id
}

/** The provider's id of a price, made when it is missing. The amount is always the one in contracts/billing/plans.ts. */
export async function priceId(payments: Payments, plan: PaidPlan, interval: Interval): Promise<string> {
  const { api } = payments
  const key = lookupKey(plan, interval)
  const find = async () => (await api.prices.list({ lookup_keys: [key], active: true, limit: 1 })).data[0]?.id
  const known = await find()
  if (known) return known
  const product = await ensureProduct(payments, plan)
  const params = {
    product,
    currency: currency.toLowerCase(),
    unit_amount: plans[plan].price[interval],
    recurring: { interval },
    lookup_key: key,
    tax_behavior: 'exclusive' as const,
    metadata: { plan },
  }
  const made = await api.prices.create(params, { idempotencyKey: `price:${key}` }).catch(async (error: unknown) => {
    const other = await find()
    if (other) return { id: other }
    throw error
  })
  return made.id
}
