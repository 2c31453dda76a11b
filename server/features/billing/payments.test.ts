/** Paying, through Stripe's own library and the emulator: what may go wrong costs nobody twice and gives nobody a plan unpaid. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { billing } from '#contracts/billing/billing.ts'
import { ApiError } from '#contracts/client.ts'
import { signature } from '#sandbox/stripe/events.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { stripeSandbox } from '#server/testing/stripe.ts'
import { until, untilPasses, whileChanging } from '#server/testing/until.ts'
import { lookAfter } from './jobs.ts'

let t: TestApp
let stripe: ReturnType<typeof stripeSandbox>
beforeAll(async () => {
  t = await testApp()
  stripe = stripeSandbox(t)
})
afterEach(async () => {
  await stripe.faults()
  await stripe.deliveries({ release: 'forwards', times: 1 })
})
afterAll(() => t[Symbol.asyncDispose]())

type Choice = { plan: 'starter' | 'pro' | 'business'; interval?: 'month' | 'year'; coupon?: string }
const checkout = async (person: Person, { plan, interval = 'month', ...rest }: Choice) =>
  (await person.api(billing.checkout, { body: { plan, interval, ...rest } })).url
const fetchStatus = (person: Person) => person.api(billing.status)
const fetchPlan = async (person: Person) => (await fetchStatus(person)).currentPlan
const fetchPaymentState = async (person: Person, session: string) =>
  (await person.api(billing.paymentStatus, { query: { session_id: session } })).state
const catchRefusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    (result) => new Error(`not refused: ${JSON.stringify(result)}`),
    (thrown) => thrown,
  )
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, code: error.code, message: error.message }
}
/** Buys a plan and waits until it is open. */
async function buyer(choice: Choice = { plan: 'pro' }) {
  const person = await t.person({ plan: 'free' })
  const { session } = await stripe.pay(await checkout(person, choice))
  await untilPasses(async () => expect(await fetchPlan(person)).toBe(choice.plan))
  return { person, session, customer: await findCustomer(person) }
}
async function findCustomer({ workspaceId }: Person): Promise<string> {
  const row = await t.services.db
    .selectFrom('subscriptions')
    .where('workspaceId', '=', workspaceId)
    .select('customerId')
    .executeTakeFirst()
  return row?.customerId ?? ''
}
const syncDue = (person: Person) =>
  t.services.db
    .updateTable('subscriptions')
    .set({ updatedAt: new Date(0) })
    .where('workspaceId', '=', person.workspaceId)
    .execute()
    .then(() => lookAfter(t.services, new AbortController().signal))
const signed = (event: object, secret = stripe.webhookSecret, seconds?: number) => {
  const payload = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature(secret, payload, seconds) }
  return t.inject({ method: 'POST', url: billing.webhook.path, headers, payload })
}

test('billing: the plans are public, with prices, limits and tools', async () => {
  const { items, currency, payments } = await t.api(billing.plans)
  expect([currency, payments, items.map((plan) => plan.name)]).toEqual([
    'USD',
    'sandbox',
    ['free', 'starter', 'pro', 'business'],
  ])
  expect(items[2]).toMatchObject({ price: { month: 14_900, year: 149_000 }, limits: { emails: 500_000, senders: 20 } })
})

test('billing: a first subscription starts with a trial, opens the plan by webhook and renews', async () => {
  const { person, session } = await buyer({ plan: 'pro' })
  const status = await fetchStatus(person)
  expect(status).toMatchObject({
    currentPlan: 'pro',
    state: 'trialing',
    interval: 'month',
    price: 14_900,
    trialOpen: false,
  })
  expect(status.trialEndsAt).toBe(status.renewsAt)
  expect(await person.api(billing.paymentStatus, { query: { session_id: session } })).toEqual({
    state: 'paid',
    plan: 'pro',
    interval: 'month',
    url: null,
  })
  await stripe.forward(15)
  await untilPasses(async () => expect((await fetchStatus(person)).state).toBe('active'))
  await untilPasses(async () =>
    expect((await person.api(billing.invoices)).items.map(({ status, total }) => [status, total])).toEqual([
      ['paid', 14_900],
      ['paid', 0],
    ]),
  )
  expect((await t.sink.mailTo(person.email)).subject).toBe('Your Pro plan is active')
})

test('billing: opening the success page without paying does not open the plan', async () => {
  const person = await t.person({ plan: 'free' })
  const url = await checkout(person, { plan: 'business' })
  const session = url.split('/').at(-1) ?? ''
  expect(await person.api(billing.paymentStatus, { query: { session_id: session } })).toMatchObject({
    state: 'pending',
    url,
  })
  expect(await fetchPlan(person)).toBe('free')
  expect((await catchRefusal(fetchPaymentState(await t.person(), session))).status).toBe(404)
  expect((await catchRefusal(fetchPaymentState(person, 'cs_test_invented'))).status).toBe(404)
})

test('billing: a declined card does not open the plan, and another card on the same page does', async () => {
  const person = await t.person({ plan: 'free' })
  const url = await checkout(person, { plan: 'starter' })
  expect((await stripe.pay(url, 'declines')).text).toContain('Your card was declined.')
  expect(await fetchPlan(person)).toBe('free')
  await stripe.pay(url, 'works')
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('starter'))
})

test('billing: a slow payment is pending until the bank confirms it, and then paid', async () => {
  const person = await t.person({ plan: 'free' })
  const { session } = await stripe.pay(await checkout(person, { plan: 'starter' }), 'slow')
  expect(await fetchPaymentState(person, session)).toBe('pending')
  expect(await catchRefusal(checkout(person, { plan: 'pro' }))).toMatchObject({
    status: 409,
    code: 'payment_under_way',
  })
  await untilPasses(async () => expect(await fetchPaymentState(person, session)).toBe('paid'))
  expect(await fetchPlan(person)).toBe('starter')
})

test('billing: a price in the request is refused', async () => {
  const person = await t.person({ plan: 'free' })
  for (const extra of [{ price: 1 }, { amount: 1 }, { currency: 'EUR' }]) {
    const body = { plan: 'pro', interval: 'month', ...extra } as never
    expect(await catchRefusal(person.api(billing.checkout, { body }))).toMatchObject({ status: 400, code: 'invalid' })
  }
  expect(
    await catchRefusal(person.api(billing.checkout, { body: { plan: 'free', interval: 'month' } as never })),
  ).toMatchObject({ status: 400 })
})

test('billing: equal checkouts share one page, and a different checkout replaces the first', async () => {
  const person = await t.person({ plan: 'free' })
  const [one, two] = await Promise.all([checkout(person, { plan: 'pro' }), checkout(person, { plan: 'pro' })])
  expect(two).toBe(one)
  const other = await checkout(person, { plan: 'starter', interval: 'year' })
  expect(other).not.toBe(one)
  expect((await stripe.pay(one)).status).toBe(410)
  await stripe.pay(other)
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('starter'))
  expect(await catchRefusal(checkout(person, { plan: 'business' }))).toMatchObject({ code: 'already_subscribed' })
})

test('billing: concurrent different checkouts leave at most one that can be paid', async () => {
  const person = await t.person({ plan: 'free' })
  const results = await Promise.allSettled(
    (['starter', 'pro', 'business'] as const).map((plan) => checkout(person, { plan })),
  )
  for (const result of results) if (result.status === 'rejected') expect((result.reason as ApiError).status).toBe(409)
  const open = (await stripe.list(
    `checkout/sessions?customer=${await findCustomer(person)}&status=open&limit=50`,
  )) as object[]
  expect(open.length).toBeLessThanOrEqual(1)
})

test('billing: a checkout whose page opens while another is begun is taken back', async () => {
  const person = await t.person({ plan: 'free' })
  const { db } = t.services
  await checkout(person, { plan: 'starter' })
  const own = db.selectFrom('checkouts').where('workspaceId', '=', person.workspaceId)
  const { id, sessionId, url } = await own.selectAll().executeTakeFirstOrThrow()
  const note = (given: { sessionId: string | null; url: string | null }, to = db) =>
    to.updateTable('checkouts').set(given).where('id', '=', id).execute()
  // The page is open at the provider, and its number on the way to the row. The same choice once more fails, which ends nothing.
  await note({ sessionId: null, url: '' })
  await stripe.faults({ match: 'POST /v1/checkout/sessions', times: 1, status: 429 })
  const failed = await whileChanging(
    db,
    (other) => note({ sessionId, url }, other),
    () => catchRefusal(checkout(person, { plan: 'starter' })),
  )
  expect([failed, await checkout(person, { plan: 'starter' })]).toMatchObject([{ status: 503 }, url])
  await note({ sessionId: null, url: '' })
  await whileChanging(
    db,
    (other) => note({ sessionId, url }, other),
    () => checkout(person, { plan: 'pro' }),
  )
  const open = await stripe.list(`checkout/sessions?customer=${await findCustomer(person)}&status=open&limit=50`)
  expect(open.map((session: { id: string }) => session.id)).toEqual([
    (await own.where('state', '=', 'open').selectAll().executeTakeFirstOrThrow()).sessionId,
  ])
})

test('billing: a second subscription of a workspace is ended and refunded', async () => {
  const { person, customer } = await buyer({ plan: 'starter' })
  await stripe.forward(15)
  const [first] = await stripe.list(`subscriptions?customer=${customer}`)
  const { payments } = t.services
  const price = first.items.data[0].price.id
  const page = await payments?.api.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://127.0.0.1:1/?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:1/',
  })
  await stripe.pay(page?.url ?? '')
  await untilPasses(async () =>
    expect((await stripe.list(`subscriptions?customer=${customer}`)).map(({ id }: { id: string }) => id)).toEqual([
      first.id,
    ]),
  )
  await untilPasses(async () => expect(await stripe.asked()).toContain('POST /v1/refunds'))
  expect(await fetchPlan(person)).toBe('starter')
})

test('billing: forged, unsigned and old webhook events are refused and change nothing', async () => {
  const { customer, person } = await buyer({ plan: 'starter' })
  const event = {
    id: 'evt_forged',
    object: 'event',
    type: 'customer.subscription.deleted',
    data: { object: { object: 'subscription', customer, status: 'canceled' } },
  }
  expect((await signed(event, 'whsec_another')).json().code).toBe('bad_signature')
  expect((await signed(event, stripe.webhookSecret, Math.floor(Date.now() / 1000) - 400)).statusCode).toBe(400)
  expect((await t.inject({ method: 'POST', url: billing.webhook.path, payload: event })).statusCode).toBe(400)
  // Signed, and false all the same: what it says is not believed but asked for.
  expect((await signed(event)).statusCode).toBe(200)
  expect((await signed(event)).statusCode).toBe(200)
  await syncDue(person)
  expect(await fetchPlan(person)).toBe('starter')
})

test('billing: late, repeated and reordered webhook events lead to the same state', async () => {
  const { person } = await buyer({ plan: 'pro' })
  await stripe.deliveries({ hold: true, times: 3 })
  await person.api(billing.change, { body: { plan: 'business', interval: 'month' } })
  await person.api(billing.cancel)
  await stripe.deliveries({ release: 'backwards', times: 3 })
  await until(async () => (await fetchStatus(person)).cancelAtPeriodEnd, 'the cancellation')
  expect(await fetchStatus(person)).toMatchObject({ currentPlan: 'business', cancelAtPeriodEnd: true })
  await stripe.forward(16)
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('free'))
})

test('billing: a change whose webhook event was lost is found by the sync', async () => {
  const person = await t.person({ plan: 'free' })
  await stripe.deliveries({ hold: true })
  await stripe.pay(await checkout(person, { plan: 'pro' }))
  await stripe.deliveries({ release: 'lost' })
  expect(await fetchPlan(person)).toBe('free')
  await syncDue(person)
  expect(await fetchPlan(person)).toBe('pro')
})

test('billing: while the provider is down requests get 503, and nothing is lost', async () => {
  const { person } = await buyer({ plan: 'pro' })
  const other = await t.person({ plan: 'free' })
  await stripe.faults({ match: '/v1/', times: 1_000, drop: true })
  expect(await catchRefusal(checkout(other, { plan: 'pro' }))).toMatchObject({
    status: 503,
    code: 'payments_unavailable',
  })
  expect(await catchRefusal(person.api(billing.cancel))).toMatchObject({ status: 503 })
  await syncDue(person)
  expect(await fetchPlan(person)).toBe('pro')
  await stripe.faults()
  expect((await person.api(billing.cancel)).cancelAtPeriodEnd).toBe(true)
  expect(await checkout(other, { plan: 'pro' })).toContain('/c/pay/')
})

test('billing: an upgrade is charged at once, a declined one changes nothing, a downgrade is credited', async () => {
  const { person, customer } = await buyer({ plan: 'starter' })
  await stripe.forward(15)
  await untilPasses(async () => expect((await fetchStatus(person)).state).toBe('active'))
  await stripe.setCard(customer, 'declines')
  const change = (plan: 'starter' | 'business') => person.api(billing.change, { body: { plan, interval: 'month' } })
  expect(await catchRefusal(change('business'))).toMatchObject({ status: 402, code: 'card_declined' })
  expect(await fetchPlan(person)).toBe('starter')
  await stripe.setCard(customer, 'works')
  const preview = await person.api(billing.preview, { body: { plan: 'business', interval: 'month' } })
  expect(preview.due).toBeGreaterThan(50_000)
  expect((await change('business')).currentPlan).toBe('business')
  expect(await catchRefusal(change('business'))).toMatchObject({ code: 'same_plan' })
  // Invoices of one second have no order.
  const totals = (await person.api(billing.invoices)).items.map(({ total }) => total)
  expect(totals.filter((total) => Math.abs(total - preview.due) < 100)).toHaveLength(1)
  expect((await change('starter')).currentPlan).toBe('starter')
})

test('billing: a canceled plan stays open until its end, can be resumed and then becomes free', async () => {
  const { person } = await buyer({ plan: 'pro' })
  const canceled = await person.api(billing.cancel)
  expect([canceled.currentPlan, canceled.cancelAtPeriodEnd]).toEqual(['pro', true])
  expect((await person.api(billing.resume)).cancelAtPeriodEnd).toBe(false)
  await person.api(billing.cancel)
  await stripe.forward(15)
  await untilPasses(async () => expect((await fetchStatus(person)).state).toBe('ended'))
  expect(await fetchPlan(person)).toBe('free')
  const again = await stripe.pay(await checkout(person, { plan: 'pro' }))
  await untilPasses(async () => expect(await fetchPaymentState(person, again.session)).toBe('paid'))
  // A trial is for the first time only.
  expect((await fetchStatus(person)).state).toBe('active')
})

test('billing: a failed renewal leaves the plan open during retries and ends it afterwards', async () => {
  const { person, customer } = await buyer({ plan: 'pro' })
  await stripe.setCard(customer, 'declines')
  await stripe.forward(15)
  await untilPasses(async () => expect((await fetchStatus(person)).state).toBe('pastDue'))
  expect(await fetchPlan(person)).toBe('pro')
  expect(
    await catchRefusal(person.api(billing.change, { body: { plan: 'starter', interval: 'month' } })),
  ).toMatchObject({
    code: 'payment_failed',
  })
  await stripe.forward(20)
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('free'))
  const emails = () =>
    t.sink.received
      .filter((mail) => mail.to.includes(person.email))
      .map((mail) => /^Subject: (.*)$/m.exec(String(mail.raw))?.[1]?.trim())
  await untilPasses(async () =>
    expect(emails()).toEqual(expect.arrayContaining(['Your payment failed', 'Your Pro plan has ended'])),
  )
})

test('billing: a manual plan applies beside a subscription until its end, and a smaller one is refused', async () => {
  const boss = await t.person({ role: 'admin' })
  const set = (person: Person, body: { plan?: 'free' | 'pro' | 'business'; planUntil?: string | null }) =>
    boss.api(admin.changeUser, { params: { id: person.id }, body })
  const { person } = await buyer({ plan: 'pro' })
  const before = Date.now()
  expect(await catchRefusal(set(person, { plan: 'free' }))).toMatchObject({ status: 409, code: 'pays_itself' })
  const until = new Date(Date.now() + 40 * 86_400_000).toISOString()
  const detail = await set(person, { plan: 'business', planUntil: until })
  expect([detail.plan, detail.planByHand, detail.subscription]).toEqual([
    'business',
    { until },
    { plan: 'pro', status: 'trialing' },
  ])
  const grantedAt = Date.parse(detail.planGrantedAt ?? '')
  expect([grantedAt >= before, grantedAt <= Date.now()]).toEqual([true, true])
  expect(await fetchStatus(person)).toMatchObject({ currentPlan: 'business', byHand: { until }, renewsAt: until })
  const other = await t.person({ plan: 'free' })
  expect(await catchRefusal(set(other, { plan: 'pro', planUntil: '2020-01-01T00:00:00Z' }))).toMatchObject({
    status: 400,
  })
  await set(other, { plan: 'pro' })
  expect(await catchRefusal(checkout(other, { plan: 'pro' }))).toMatchObject({ code: 'already_on_plan' })
})

test('billing: the revenue overview counts regular payments, with trials apart', async () => {
  const boss = await t.person({ role: 'admin' })
  const before = await boss.api(admin.revenue)
  const { person } = await buyer({ plan: 'business', interval: 'year' })
  expect((await boss.api(admin.revenue)).subscriptions.trialing).toBe(before.subscriptions.trialing + 1)
  await stripe.forward(15)
  await untilPasses(async () => expect((await fetchStatus(person)).state).toBe('active'))
  const after = await boss.api(admin.revenue)
  expect(after.recurring).toBeGreaterThanOrEqual(Math.round(599_000 / 12))
  // Others pay on the same day, and each invoice is told by an event of its own.
  await untilPasses(async () =>
    expect((await boss.api(admin.revenue)).latest).toContainEqual(
      expect.objectContaining({ total: 599_000, status: 'paid' }),
    ),
  )
})

test('billing: deleting an account cancels its subscription', async () => {
  const { person, customer } = await buyer({ plan: 'starter' })
  const { accounts } = await import('#contracts/accounts/accounts.ts')
  await person.api(accounts.remove, { body: { email: person.email, password: person.password } })
  await untilPasses(async () => expect(await stripe.list(`subscriptions?customer=${customer}`)).toEqual([]))
})
