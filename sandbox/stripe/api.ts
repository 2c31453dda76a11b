import { sessionRoutes, subscriptionRoutes } from './api-payments.ts'
import { reversalRoutes } from './api-reversals.ts'
import type { Billing } from './billing.ts'
import { textFields } from './form.ts'
import { buildListPage } from './page.ts'
import { missing, wrong } from './refusal.ts'
import type { Reversals } from './reversals.ts'
import type { Find, Route } from './route.ts'
import type { Coupon, Customer, Price, PromotionCode, State, StoredObjects } from './state.ts'

const META = 'metadata'

/** The calls of Stripe's API the product uses, over one state. */
export function buildRoutes(state: State, billing: Billing, reversals: Reversals, url: string): Route[] {
  const find = <K extends keyof Omit<StoredObjects, 'ahead'>>(kind: K, word: string, id: string, param?: string) => {
    const found = (state.stored[kind] as Record<string, StoredObjects[K][string]>)[id]
    if (!found) throw missing(word, id, param)
    return found
  }
  const list = (on: string, kind: keyof Omit<StoredObjects, 'ahead'>, filters: string[]): Route => ({
    on: `GET /v1/${on}`,
    takes: ['limit', 'starting_after', ...filters],
    respond: ({ params }) => {
      const all = Object.values(state.stored[kind]) as unknown as (Record<string, unknown> & {
        id: string
        created: number
      })[]
      const keys = params.texts('lookup_keys')
      return buildListPage(
        params,
        all.filter((one) =>
          filters.every((filter) => {
            if (filter === 'lookup_keys') return keys.length === 0 || keys.includes(String(one.lookup_key))
            const wanted = params.text(filter)
            if (filter === 'subscription' && wanted)
              return (
                (one.parent as { subscription_details?: { subscription: string } })?.subscription_details
                  ?.subscription === wanted
              )
            if (filter === 'status' && (wanted === 'all' || (!wanted && kind === 'subscriptions')))
              return wanted === 'all' || one.status !== 'canceled'
            return wanted === undefined || String(one[filter]) === wanted
          }),
        ),
        `/v1/${on}`,
      )
    },
  })

  return [
    ...customerRoutes(state, find),
    ...catalogRoutes(state, find),
    ...couponRoutes(state, find),
    ...sessionRoutes(state, billing, url, find),
    ...subscriptionRoutes(billing, find),
    ...reversalRoutes(state, reversals, find),
    list('customers', 'customers', ['email']),
    list('products', 'products', []),
    list('prices', 'prices', ['lookup_keys', 'active', 'product']),
    list('promotion_codes', 'promotionCodes', ['code', 'active']),
    list('checkout/sessions', 'sessions', ['customer', 'status', 'subscription']),
    list('subscriptions', 'subscriptions', ['customer', 'status']),
    list('invoices', 'invoices', ['customer', 'status', 'subscription']),
    list('events', 'events', ['type']),
    { on: 'GET /v1/invoices/:id', takes: [], respond: ({ id }) => find('invoices', 'invoice', id) },
    { on: 'GET /v1/events/:id', takes: [], respond: ({ id }) => find('events', 'event', id) },
  ]
}

function customerRoutes(state: State, find: Find): Route[] {
  return [
    {
      on: 'POST /v1/customers',
      takes: ['email', 'name', META],
      respond: ({ params }) => {
        const customer: Customer = {
          ...state.resource('customer', 'cus', params.metadata()),
          email: params.text('email') ?? null,
          name: params.text('name') ?? null,
          card: 'none',
          balance: 0,
        }
        state.stored.customers[customer.id] = customer
        return customer
      },
    },
    { on: 'GET /v1/customers/:id', takes: [], respond: ({ id }) => find('customers', 'customer', id) },
  ]
}

function catalogRoutes(state: State, find: Find): Route[] {
  return [
    {
      on: 'POST /v1/products',
      takes: ['id', 'name', META, 'tax_code'],
      respond: ({ params }) => {
        const resource = state.resource('product', 'prod', params.metadata())
        const id = params.text('id') ?? resource.id
        if (state.stored.products[id]) throw wrong(`Product already exists.`, 'id', 'resource_already_exists')
        state.stored.products[id] = { ...resource, id, name: params.need('name'), active: true }
        return find('products', 'product', id)
      },
    },
    { on: 'GET /v1/products/:id', takes: [], respond: ({ id }) => find('products', 'product', id) },
    {
      on: 'POST /v1/prices',
      takes: ['product', 'currency', 'unit_amount', 'recurring', 'lookup_key', 'tax_behavior', META],
      respond: ({ params }) => {
        const product = find('products', 'product', params.need('product'), 'product')
        const key = params.text('lookup_key') ?? null
        if (key && Object.values(state.stored.prices).some((one) => one.lookup_key === key))
          throw wrong(`A price already uses that lookup key.`, 'lookup_key')
        const price: Price = {
          ...state.resource('price', 'price', params.metadata()),
          product: product.id,
          currency: params.need('currency'),
          unit_amount: params.number('unit_amount') ?? 0,
          lookup_key: key,
          active: true,
          type: 'recurring',
          recurring: {
            interval: textFields(params.inner('recurring')).interval === 'year' ? 'year' : 'month',
            interval_count: 1,
          },
        }
        state.stored.prices[price.id] = price
        return price
      },
    },
  ]
}

function couponRoutes(state: State, find: Find): Route[] {
  return [
    {
      on: 'POST /v1/coupons',
      takes: [
        'id',
        'name',
        'percent_off',
        'amount_off',
        'currency',
        'duration',
        'duration_in_months',
        'applies_to',
        META,
      ],
      respond: ({ params }) => {
        const percent = params.number('percent_off') ?? null
        const amount = params.number('amount_off') ?? null
        if ((percent === null) === (amount === null)) throw wrong('You must pass either percent_off or amount_off.')
        const coupon: Coupon = {
          ...state.resource('coupon', 'cpn', params.metadata()),
          name: params.text('name') ?? null,
          percent_off: percent,
          amount_off: amount,
          currency: params.text('currency') ?? null,
          duration: params.need('duration') as Coupon['duration'],
          duration_in_months: params.number('duration_in_months') ?? null,
          applies_to: { products: (params.inner('applies_to').products as string[] | undefined) ?? [] },
          valid: true,
        }
        state.stored.coupons[coupon.id] = coupon
        return coupon
      },
    },
    {
      on: 'POST /v1/promotion_codes',
      takes: ['promotion', 'code', 'max_redemptions', 'expires_at', 'restrictions', 'active', META],
      respond: ({ params }) => {
        const coupon = find(
          'coupons',
          'coupon',
          textFields(params.inner('promotion')).coupon ?? '',
          'promotion[coupon]',
        )
        const code = params.need('code')
        const taken = Object.values(state.stored.promotionCodes).some(
          (one) => one.active && one.code.toLowerCase() === code.toLowerCase(),
        )
        if (taken)
          throw wrong('An active promotion code with this code already exists.', 'code', 'resource_already_exists')
        const promotion: PromotionCode = {
          ...state.resource('promotion_code', 'promo', params.metadata()),
          code,
          active: true,
          promotion: { type: 'coupon', coupon: coupon.id },
          max_redemptions: params.number('max_redemptions') ?? null,
          times_redeemed: 0,
          expires_at: params.number('expires_at') ?? null,
        }
        state.stored.promotionCodes[promotion.id] = promotion
        return promotion
      },
    },
    {
      on: 'POST /v1/promotion_codes/:id',
      takes: ['active', META],
      respond: ({ id, params }) => {
        const promotion = find('promotionCodes', 'promotion code', id)
        promotion.active = params.flag('active') ?? promotion.active
        return promotion
      },
    },
  ]
}
