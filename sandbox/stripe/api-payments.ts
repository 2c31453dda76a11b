import type { Billing } from './billing.ts'
import { type Form, type Params, textFields } from './form.ts'
import { discounted } from './invoices.ts'
import { missing, wrong } from './refusal.ts'
import type { Find, Route } from './route.ts'
import type { Price, PromotionCode, Session, State, Subscription } from './state.ts'

/** Checkout and portal sessions. */
export function sessionRoutes(state: State, billing: Billing, url: string, find: Find): Route[] {
  return [
    {
      on: 'POST /v1/checkout/sessions',
      takes: [
        ...[
          'mode',
          'customer',
          'client_reference_id',
          'line_items',
          'discounts',
          'subscription_data',
          'success_url',
          'cancel_url',
        ],
        ...[
          'expires_at',
          'automatic_tax',
          'tax_id_collection',
          'customer_update',
          'payment_method_collection',
          'metadata',
          'locale',
        ],
        ...['billing_address_collection', 'allow_promotion_codes'],
      ],
      respond: ({ params }) => {
        const session = newSession(state, url, find, params)
        state.stored.sessions[session.id] = session
        return session
      },
    },
    { on: 'GET /v1/checkout/sessions/:id', takes: [], respond: ({ id }) => find('sessions', 'checkout.session', id) },
    {
      on: 'POST /v1/checkout/sessions/:id/expire',
      takes: [],
      respond: ({ id }) => {
        const session = find('sessions', 'checkout.session', id)
        if (session.status !== 'open' || session.answers_at !== null)
          throw wrong('Only Checkout Sessions with a status in ["open"] can be expired.')
        billing.expire(session)
        return session
      },
    },
    {
      on: 'POST /v1/billing_portal/sessions',
      takes: ['customer', 'return_url', 'flow_data', 'locale'],
      respond: ({ params }) => {
        const customer = find('customers', 'customer', params.need('customer'), 'customer')
        const portal = state.resource('billing_portal.session', 'bps')
        const opened = {
          ...portal,
          customer: customer.id,
          url: `${url}/p/session/${portal.id}`,
          return_url: params.text('return_url') ?? url,
        }
        state.stored.portals[portal.id] = opened
        return opened
      },
    },
  ]
}

function newSession(state: State, url: string, find: Find, params: Params): Session {
  if (params.need('mode') !== 'subscription') throw wrong('This emulator knows subscriptions only.', 'mode')
  const customer = find('customers', 'customer', params.need('customer'), 'customer')
  const price = find(
    'prices',
    'price',
    textFields(params.list('line_items')[0] ?? {}).price ?? '',
    'line_items[0][price]',
  )
  const code = findPromotion(state, find, params.list('discounts')[0], price)
  const data: Form = params.inner('subscription_data')
  const trialDays = Number(textFields(data).trial_period_days ?? 0)
  const resource = state.resource('checkout.session', 'cs_test', params.metadata())
  const expires = params.number('expires_at') ?? resource.created + 86_400
  if (expires < resource.created + 30 * 60 - state.stored.ahead - 60 || expires > resource.created + 86_400 + 60)
    throw wrong('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', 'expires_at')
  const coupon = code && state.stored.coupons[code.promotion.coupon]
  const total = discounted(price.unit_amount, coupon)
  return {
    ...resource,
    mode: 'subscription',
    status: 'open',
    payment_status: 'unpaid',
    customer: customer.id,
    client_reference_id: params.text('client_reference_id') ?? null,
    subscription: null,
    url: `${url}/c/pay/${resource.id}`,
    success_url: params.need('success_url').replaceAll('{CHECKOUT_SESSION_ID}', resource.id),
    cancel_url: params.text('cancel_url') ?? url,
    expires_at: expires + state.stored.ahead,
    currency: price.currency,
    amount_subtotal: price.unit_amount,
    amount_total: trialDays > 0 ? 0 : total,
    price: price.id,
    trial_days: trialDays,
    promotion_code: code?.id ?? null,
    subscription_metadata: textFields((data.metadata as Form | undefined) ?? {}),
    answers_at: null,
  }
}

function findPromotion(state: State, find: Find, given: Form | undefined, price: Price): PromotionCode | undefined {
  if (!given) return undefined
  const code = find(
    'promotionCodes',
    'promotion code',
    textFields(given).promotion_code ?? '',
    'discounts[0][promotion_code]',
  )
  const coupon = find('coupons', 'coupon', code.promotion.coupon)
  const isOver =
    !code.active ||
    (code.expires_at !== null && code.expires_at <= state.now()) ||
    (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions)
  if (isOver)
    throw wrong('This promotion code is not active.', 'discounts[0][promotion_code]', 'promotion_code_invalid')
  const { products } = coupon.applies_to
  if (products.length > 0 && !products.includes(price.product))
    throw wrong(
      'This promotion code does not apply to any of the products.',
      'discounts[0][promotion_code]',
      'coupon_not_applicable',
    )
  return code
}

/** Subscriptions, and what a change of them costs. */
export function subscriptionRoutes(billing: Billing, find: Find): Route[] {
  const findPrice = (given: Form | undefined) =>
    find('prices', 'price', textFields(given ?? {}).price ?? '', 'items[0][price]')
  const change = (subscription: Subscription, params: Params) => {
    const [item] = params.list('items')
    if (item) {
      if (textFields(item).id !== subscription.items.data[0]?.id)
        throw wrong('The item does not belong to this subscription.', 'items[0][id]')
      billing.change(subscription, findPrice(item))
    }
    const ends = params.flag('cancel_at_period_end')
    for (const [name, value] of Object.entries(params.metadata())) {
      if (value === '') delete subscription.metadata[name]
      else subscription.metadata[name] = value
    }
    if (ends !== undefined) billing.setEnding(subscription, ends)
    return subscription
  }
  const live = (id: string) => {
    const subscription = find('subscriptions', 'subscription', id)
    if (subscription.status === 'canceled') throw missing('subscription', id)
    return subscription
  }
  return [
    { on: 'GET /v1/subscriptions/:id', takes: [], respond: ({ id }) => find('subscriptions', 'subscription', id) },
    {
      on: 'POST /v1/subscriptions/:id',
      takes: ['items', 'proration_behavior', 'payment_behavior', 'cancel_at_period_end', 'metadata'],
      respond: ({ id, params }) => change(live(id), params),
    },
    {
      on: 'DELETE /v1/subscriptions/:id',
      takes: ['prorate', 'invoice_now'],
      respond: ({ id }) => {
        const subscription = live(id)
        billing.end(subscription)
        return subscription
      },
    },
    {
      on: 'POST /v1/invoices/create_preview',
      takes: ['customer', 'subscription', 'subscription_details'],
      respond: ({ params }) => {
        const subscription = find('subscriptions', 'subscription', params.need('subscription'), 'subscription')
        const [item] = (params.inner('subscription_details').items as Form[] | undefined) ?? []
        const due = billing.proration(subscription, findPrice(item))
        return {
          object: 'invoice',
          currency: subscription.currency,
          total: due,
          amount_due: Math.max(0, due),
          lines: { object: 'list', data: [], has_more: false },
        }
      },
    },
  ]
}
