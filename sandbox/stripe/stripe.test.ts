/** The emulator, driven by Stripe's own library over HTTP. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until, untilPasses } from '#server/testing/until.ts'
import { decodeForm } from './form.ts'
import { startStripeServer } from './server.ts'

const keys = { secretKey: 'sk_test_of_this_test', webhookSecret: 'whsec_of_this_test' }
let server: Awaited<ReturnType<typeof startStripeServer>>
let stripe: Stripe
const delivered: { body: string; signature: string }[] = []
const hook = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    delivered.push({ body, signature: String(request.headers['stripe-signature']) })
    response.end()
  })
})
const createClient = (key: string) =>
  new Stripe(key, { host: '127.0.0.1', port: server.port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
const control = (name: string, body: object) =>
  fetch(`http://127.0.0.1:${server.port}/__control/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.secretKey}` },
    body: JSON.stringify(body),
  })

beforeAll(async () => {
  server = await startStripeServer(keys, 0)
  stripe = createClient(keys.secretKey)
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  await control('endpoint', { url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}` })
})
afterAll(async () => {
  await server.stop()
  hook.close()
})

let count = 0
async function opened(more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const product = await stripe.products.create({ name: 'Pro' })
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 14_900,
    recurring: { interval: 'month' },
    lookup_key: `key${++count}`,
  })
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://127.0.0.1:1/done?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:1/left',
    ...more,
  })
  return { customer, product, price, session }
}
const choose = (session: Stripe.Checkout.Session, card: string) =>
  fetch(session.url ?? '', { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' })
const fetchSubscription = async (session: Stripe.Checkout.Session) => {
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id)
  return stripe.subscriptions.retrieve(String(subscription))
}

test('stripe emulator: a paid checkout creates a subscription, redirects, and sends signed events', async () => {
  const { session } = await opened()
  expect(await (await fetch(session.url ?? '')).text()).toContain('$149.00')
  const response = await choose(session, 'works')
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `http://127.0.0.1:1/done?session_id=${session.id}`,
  ])
  const subscription = await fetchSubscription(session)
  expect([subscription.status, subscription.items.data[0]?.price.unit_amount]).toEqual(['active', 14_900])
  await until(async () => delivered.some(({ body }) => body.includes(session.id)), 'an event of the session')
  for (const { body, signature } of delivered)
    expect(stripe.webhooks.constructEvent(body, signature, keys.webhookSecret).id).toMatch(/^evt_/)
  expect(delivered.map(({ body }) => JSON.parse(body).type)).toEqual(
    expect.arrayContaining(['customer.subscription.created', 'invoice.paid', 'checkout.session.completed']),
  )
})

test('stripe emulator: a declined card creates nothing, and the checkout can be paid with another', async () => {
  const { session, customer } = await opened()
  const response = await choose(session, 'declines')
  expect([response.status, await response.text()]).toEqual([402, expect.stringContaining('Your card was declined.')])
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([])
  expect((await choose(session, 'works')).status).toBe(303)
  expect((await choose(session, 'works')).status).toBe(303)
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1)
})

test('stripe emulator: a slow payment redirects at once and is paid later', async () => {
  const { session } = await opened()
  expect((await choose(session, 'slow')).status).toBe(303)
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
  await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow('Only Checkout Sessions')
  await control('clock', { seconds: 4 })
  expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid')
})

test('stripe emulator: an idempotency key returns the same response, and refuses other parameters', async () => {
  const first = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'one' })
  expect((await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'one' })).id).toBe(first.id)
  await expect(stripe.customers.create({ name: 'Bob' }, { idempotencyKey: 'one' })).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
  })
})

test('stripe emulator: a wrong key, unknown ids and unknown parameters are refused', async () => {
  await expect(createClient('sk_test_wrong').customers.list()).rejects.toMatchObject({
    type: 'StripeAuthenticationError',
  })
  await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
    code: 'resource_missing',
    statusCode: 404,
  })
  await expect(stripe.customers.create({ nickname: 'x' } as object)).rejects.toMatchObject({
    code: 'parameter_unknown',
  })
  await expect(opened({ expires_at: 5 })).rejects.toThrow('between 30 minutes and 24 hours')
  expect((await fetch(`http://127.0.0.1:${server.port}/v1/customers`)).status).toBe(401)
})

test('stripe emulator: as time passes a trial ends, a renewal is paid, and failed ones end the plan', async () => {
  const { session, customer } = await opened({ subscription_data: { trial_period_days: 14 } })
  await choose(session, 'works')
  expect((await fetchSubscription(session)).status).toBe('trialing')
  await control('clock', { seconds: 15 * 86_400 })
  expect((await fetchSubscription(session)).status).toBe('active')
  await control('card', { customer: customer.id, card: 'declines' })
  await control('clock', { seconds: 32 * 86_400 })
  expect((await fetchSubscription(session)).status).toBe('past_due')
  await control('clock', { seconds: 20 * 86_400 })
  expect((await fetchSubscription(session)).status).toBe('canceled')
})

test('stripe emulator: a new price is prorated and charged, and a declined card leaves the old one', async () => {
  const { session, customer, product } = await opened()
  await choose(session, 'works')
  const subscription = await fetchSubscription(session)
  const larger = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 59_900,
    recurring: { interval: 'month' },
    lookup_key: `larger${++count}`,
  })
  const items = [{ id: subscription.items.data[0]?.id ?? '', price: larger.id }]
  await control('card', { customer: customer.id, card: 'declines' })
  await expect(stripe.subscriptions.update(subscription.id, { items })).rejects.toMatchObject({ code: 'card_declined' })
  expect((await fetchSubscription(session)).items.data[0]?.price.unit_amount).toBe(14_900)
  await control('card', { customer: customer.id, card: 'works' })
  await stripe.subscriptions.update(subscription.id, { items })
  const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data
  expect([invoice?.status, (invoice?.total ?? 0) > 40_000, (invoice?.total ?? 0) <= 45_000]).toEqual([
    'paid',
    true,
    true,
  ])
})

test('stripe emulator: a promotion code lowers the price and is refused when it is used up', async () => {
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'once' })
  const code = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: coupon.id },
    code: 'SPRING',
    max_redemptions: 1,
  })
  const { session } = await opened({ discounts: [{ promotion_code: code.id }] })
  expect(session.amount_total).toBe(11_920)
  await choose(session, 'works')
  await expect(opened({ discounts: [{ promotion_code: code.id }] })).rejects.toThrow('not active')
})

/** The invoice a paid checkout leaves, and the charge that paid it. */
async function paidInvoice() {
  const { session, customer } = await opened()
  await choose(session, 'works')
  const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data
  const [charge] = (await stripe.charges.list({ customer: customer.id })).data
  if (!invoice?.id || !charge) throw new Error('nothing was paid')
  return { invoice: { ...invoice, id: invoice.id }, charge, customer }
}
const eventTypes = async (id: string) => {
  await until(async () => delivered.some(({ body }) => body.includes(id)), `an event of ${id}`)
  return async () =>
    delivered.map(({ body }) => JSON.parse(body)).flatMap(({ type, data }) => (data.object.id === id ? [type] : []))
}

test('stripe emulator: refunds add up to the charge, more is refused, and a failed one does not count', async () => {
  const { charge, invoice, customer } = await paidInvoice()
  const [payment] = (await stripe.invoicePayments.list({ invoice: invoice.id })).data
  expect(payment?.payment.payment_intent).toBe(charge.payment_intent)
  const paidBy = { type: 'payment_intent', payment_intent: String(charge.payment_intent) }
  expect((await stripe.invoicePayments.list({ payment: paidBy })).data.map((one) => one.invoice)).toEqual([invoice.id])
  const first = await stripe.refunds.create({ charge: charge.id, amount: 4_900, reason: 'requested_by_customer' })
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ refunded: false, amount_refunded: 4_900 })
  await expect(stripe.refunds.create({ charge: charge.id, amount: 10_001 })).rejects.toThrow('greater than unrefunded')
  await stripe.refunds.create({ payment_intent: String(charge.payment_intent) })
  await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({ code: 'charge_already_refunded' })
  const listed = await stripe.charges.list({ customer: customer.id, expand: ['data.refunds'] })
  expect(listed.data[0]?.refunds?.data.map(({ amount }) => amount)).toEqual([10_000, 4_900])
  expect((await stripe.charges.retrieve(charge.id)).refunds).toBeUndefined()
  expect(listed.data[0]?.refunded).toBe(true)
  await control('refund', { refund: first.id, status: 'failed' })
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ refunded: false, amount_refunded: 10_000 })
  const types = await eventTypes(first.id)
  await untilPasses(async () =>
    expect(await types()).toEqual(
      expect.arrayContaining(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated']),
    ),
  )
  const typesOfCharge = await eventTypes(charge.id)
  await untilPasses(async () => expect(await typesOfCharge()).toEqual(['charge.refunded', 'charge.refunded']))
})

test('stripe emulator: a dispute withdraws the money, refuses refunds, and returns it when won', async () => {
  const { charge, invoice } = await paidInvoice()
  await control('dispute', { invoice: invoice.id, reason: 'product_not_received' })
  const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data
  expect(dispute).toMatchObject({ status: 'needs_response', amount: 14_900, reason: 'product_not_received' })
  expect((await stripe.charges.retrieve(charge.id)).disputed).toBe(true)
  await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({ code: 'charge_disputed' })
  await control('dispute', { dispute: dispute?.id, status: 'won' })
  const types = await eventTypes(dispute?.id ?? '')
  await untilPasses(async () =>
    expect((await types()).sort()).toEqual([
      'charge.dispute.closed',
      'charge.dispute.created',
      'charge.dispute.funds_reinstated',
      'charge.dispute.funds_withdrawn',
    ]),
  )
  const settled = await stripe.disputes.retrieve(dispute?.id ?? '')
  expect(settled.balance_transactions.map(({ amount }) => amount)).toEqual([-14_900, 14_900])
})

test('stripe emulator: an inquiry withdraws no money, and a dispute that is closed is lost', async () => {
  const { charge, invoice } = await paidInvoice()
  await control('dispute', { invoice: invoice.id, status: 'warning_needs_response' })
  const [inquiry] = (await stripe.disputes.list({ charge: charge.id })).data
  expect(inquiry).toMatchObject({ is_charge_refundable: true, balance_transactions: [] })
  await control('dispute', { dispute: inquiry?.id, status: 'needs_response' })
  expect((await stripe.disputes.close(inquiry?.id ?? '')).status).toBe('lost')
  expect((await stripe.disputes.retrieve(inquiry?.id ?? '')).balance_transactions).toHaveLength(1)
})

test('stripe emulator: decoding any form returns a plain object or an error, and pollutes no prototype', () => {
  expect(decodeForm('items[0][price]=p&items[0][id]=i&expand[]=a&expand[]=b&metadata[x]=y')).toEqual({
    items: [{ price: 'p', id: 'i' }],
    expand: ['a', 'b'],
    metadata: { x: 'y' },
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pairs) => {
      try {
        expect(Object.getPrototypeOf(decodeForm(new URLSearchParams(pairs).toString()))).toBe(Object.prototype)
      } catch (error) {
        expect((error as Error).message).toContain('Invalid parameter name')
      }
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    }),
  )
})
