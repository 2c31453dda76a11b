/** Refunds and disputes, through Stripe's own library and the emulator: whatever way the events take, the plan is as the money is. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { billing } from '#contracts/billing/billing.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { stripeSandbox } from '#server/testing/stripe.ts'
import { untilPasses } from '#server/testing/until.ts'
import { lookAfter } from '../jobs.ts'

let t: TestApp
let stripe: ReturnType<typeof stripeSandbox>
beforeAll(async () => {
  t = await testApp()
  stripe = stripeSandbox(t)
})
afterEach(() => stripe.deliveries({ release: 'forwards', times: 1 }))
afterAll(() => t[Symbol.asyncDispose]())

const fetchStatus = (person: Person) => person.api(billing.status)
const fetchPlan = async (person: Person) => (await fetchStatus(person)).currentPlan
const fetchReversals = async (person: Person) => (await person.api(billing.reversals)).items
const fetchStates = async (person: Person) =>
  (await fetchReversals(person)).map(({ kind, state }) => `${kind} ${state}`)
const subjectsTo = (person: Person) =>
  t.sink.received
    .filter((email) => email.to.includes(person.email))
    .map((email) => /^Subject: (.*)$/m.exec(String(email.raw))?.[1]?.trim())

async function pay(person: Person, plan: 'starter' | 'pro' | 'business', interval: 'month' | 'year' = 'month') {
  const { url } = await person.api(billing.checkout, { body: { plan, interval } })
  await stripe.pay(url)
}

/** Somebody who had a trial before: the next plan is paid at once. Returns the invoice of that payment. */
async function payer(plan: 'starter' | 'pro' = 'pro', interval: 'month' | 'year' = 'month') {
  const person = await t.person({ plan: 'free' })
  await t.services.db.insertInto('subscriptions').values({ workspaceId: person.workspaceId, trialUsed: true }).execute()
  await pay(person, plan, interval)
  await untilPasses(async () => expect(await fetchPlan(person)).toBe(plan))
  const [invoice] = (await person.api(billing.invoices)).items
  return { person, invoice: invoice?.id ?? '', number: invoice?.number ?? '' }
}

const subscriptionAtStripe = async ({ workspaceId }: Person) => {
  const query = t.services.db.selectFrom('subscriptions').where('workspaceId', '=', workspaceId)
  const { customerId } = await query.select('customerId').executeTakeFirstOrThrow()
  return (await stripe.list(`subscriptions?customer=${customerId}`))[0]
}
const syncDue = async ({ workspaceId }: Person) => {
  const { db } = t.services
  await db
    .updateTable('subscriptions')
    .set({ updatedAt: new Date(0) })
    .where('workspaceId', '=', workspaceId)
    .execute()
  await lookAfter(t.services, new AbortController().signal)
}

test('reversal: a full refund of the current period ends the plan, is logged and emailed', async () => {
  const { person, invoice, number } = await payer('pro')
  await stripe.refund({ invoice })
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('free'))
  expect(await fetchStatus(person)).toMatchObject({ state: 'ended', closedBy: { kind: 'refund', state: 'refunded' } })
  expect(await fetchReversals(person)).toMatchObject([
    { amount: 14_900, currency: 'USD', invoice: { id: invoice, number } },
  ])
  expect((await person.api(billing.invoices)).items).toMatchObject([{ id: invoice, refunded: 14_900, disputed: false }])
  await untilPasses(async () => expect(subjectsTo(person)).toContain('Your payment of $149.00 was refunded'))
  expect(subjectsTo(person)).not.toContain('Your Pro plan has ended')

  const boss = await t.person({ role: 'admin' })
  const log = (await boss.api(admin.audit, { query: { user: person.id } })).items
  expect(log.find(({ action }) => action === 'payment_refunded')).toMatchObject({
    actor: { name: 'payments' },
    subject: { name: person.email },
    details: { amount: '$149.00', invoice: number },
  })
  expect(log).toContainEqual(expect.objectContaining({ action: 'plan_changed', details: { from: 'pro', to: 'free' } }))
  const user = await boss.api(admin.user, { params: { id: person.id } })
  expect(user.planClosedBy).toMatchObject({ kind: 'refund', amount: 14_900 })
  const revenue = await boss.api(admin.revenue)
  expect(revenue.reversals).toContainEqual(expect.objectContaining({ amount: 14_900, state: 'refunded' }))
  expect(revenue.returned30Days).toBeGreaterThanOrEqual(14_900)

  const closed = await subscriptionAtStripe(person)
  expect(closed.cancel_at_period_end).toBe(true)
  await pay(person, 'starter')
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('starter'))
  await untilPasses(async () => expect((await subscriptionAtStripe(person)).id).not.toBe(closed.id))
  expect(await fetchStatus(person)).toMatchObject({ state: 'active', closedBy: null, cancelAtPeriodEnd: false })
})

test('reversal: partial refunds end the plan when they add up, and a failed one opens it again', async () => {
  const { person, invoice } = await payer('pro')
  await stripe.refund({ invoice, amount: 5_000 })
  await untilPasses(async () => expect(await fetchStates(person)).toEqual(['refund refunded']))
  expect(await fetchPlan(person)).toBe('pro')
  const rest = await stripe.refund({ invoice, status: 'pending' })
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('free'))
  expect((await subscriptionAtStripe(person)).cancel_at_period_end).toBe(true)
  await stripe.refund({ refund: rest.id, status: 'failed' })
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('pro'))
  expect((await fetchStates(person)).sort()).toEqual(['refund failed', 'refund refunded'])
  expect(await fetchStatus(person)).toMatchObject({ state: 'active', closedBy: null, cancelAtPeriodEnd: false })
  expect((await subscriptionAtStripe(person)).cancel_at_period_end).toBe(false)
  await untilPasses(async () => expect(subjectsTo(person)).toContain('Your Pro plan is active again'))
})

test('reversal: a refund of an earlier period leaves the plan open', async () => {
  const { person, invoice } = await payer('starter')
  await stripe.forward(32)
  await untilPasses(async () => expect((await person.api(billing.invoices)).items.length).toBe(2))
  await stripe.refund({ invoice })
  await untilPasses(async () => expect(await fetchStates(person)).toEqual(['refund refunded']))
  expect(await fetchStatus(person)).toMatchObject({ currentPlan: 'starter', closedBy: null, cancelAtPeriodEnd: false })
})

test('reversal: an open dispute closes the plan, and a won one opens it with its renewal', async () => {
  const { person, invoice } = await payer('pro', 'year')
  const dispute = await stripe.dispute({ invoice, reason: 'product_not_received' })
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('free'))
  expect((await fetchStatus(person)).closedBy).toMatchObject({
    kind: 'dispute',
    state: 'open',
    reason: 'product_not_received',
  })
  expect((await person.api(billing.invoices)).items).toMatchObject([{ id: invoice, disputed: true }])
  await expect(person.api(billing.resume)).rejects.toMatchObject({ status: 409, code: 'no_subscription' })
  expect((await subscriptionAtStripe(person)).cancel_at_period_end).toBe(true)
  await stripe.dispute({ dispute: dispute.id, status: 'won' })
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('pro'))
  expect(await fetchStates(person)).toEqual(['dispute won'])
  expect((await subscriptionAtStripe(person)).cancel_at_period_end).toBe(false)
  await untilPasses(async () =>
    expect(subjectsTo(person)).toEqual(
      expect.arrayContaining(['Your payment of $1,490.00 is disputed', 'Your Pro plan is active again']),
    ),
  )
})

test('reversal: an inquiry leaves the plan open, its dispute closes it, and a lost one ends it', async () => {
  const { person, invoice } = await payer('pro')
  const dispute = await stripe.dispute({ invoice, status: 'warning_needs_response' })
  await untilPasses(async () => expect(await fetchStates(person)).toEqual(['dispute inquiry']))
  expect(await fetchPlan(person)).toBe('pro')
  await stripe.dispute({ dispute: dispute.id, status: 'needs_response' })
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('free'))
  await stripe.dispute({ dispute: dispute.id, status: 'lost' })
  await untilPasses(async () => expect(await fetchStates(person)).toEqual(['dispute lost']))
  expect(await fetchPlan(person)).toBe('free')
  await untilPasses(async () => expect(subjectsTo(person)).toContain('The disputed payment was returned'))
  // Nothing more is collected: the subscription ends with its period.
  await stripe.forward(32)
  await untilPasses(async () => expect(await subscriptionAtStripe(person)).toBeUndefined())
  expect((await person.api(billing.invoices)).items).toHaveLength(1)
})

test('reversal: late, repeated and reordered events lead to one state, one email and one log entry', async () => {
  const { person, invoice } = await payer('pro')
  await stripe.deliveries({ hold: true, times: 3 })
  const dispute = await stripe.dispute({ invoice })
  await syncDue(person)
  expect(await fetchPlan(person)).toBe('free')
  await stripe.dispute({ dispute: dispute.id, status: 'under_review' })
  await stripe.dispute({ dispute: dispute.id, status: 'won' })
  await stripe.deliveries({ release: 'backwards', times: 3 })
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('pro'))
  await syncDue(person)
  expect(await fetchPlan(person)).toBe('pro')
  expect(await fetchStates(person)).toEqual(['dispute won'])
  await untilPasses(async () => expect(subjectsTo(person)).toContain('Your Pro plan is active again'))
  const count = (subject: string) => subjectsTo(person).filter((one) => one === subject).length
  expect([count('Your payment of $149.00 is disputed'), count('Your Pro plan is active again')]).toEqual([1, 1])
  const boss = await t.person({ role: 'admin' })
  const actions = (await boss.api(admin.audit, { query: { user: person.id } })).items.map(({ action }) => action)
  expect(actions.filter((action) => action === 'payment_disputed')).toHaveLength(1)
  expect(actions.filter((action) => action === 'dispute_won')).toHaveLength(1)
})

test('reversal: a dispute whose event was lost is found by the sync, even after the subscription', async () => {
  const { person, invoice } = await payer('pro')
  await stripe.deliveries({ hold: true })
  const dispute = await stripe.dispute({ invoice })
  await stripe.deliveries({ release: 'lost' })
  await syncDue(person)
  expect(await fetchPlan(person)).toBe('free')
  await stripe.forward(32)
  await untilPasses(async () => expect((await subscriptionAtStripe(person)) ?? 'none').toBe('none'))
  await syncDue(person)
  await stripe.deliveries({ hold: true })
  await stripe.dispute({ dispute: dispute.id, status: 'lost' })
  await stripe.deliveries({ release: 'lost' })
  expect(await fetchStates(person)).toEqual(['dispute open'])
  await syncDue(person)
  expect(await fetchStates(person)).toEqual(['dispute lost'])
})

test('reversal: a manual plan stays open during a dispute, and other users do not see the dispute', async () => {
  const { person, invoice } = await payer('starter')
  const boss = await t.person({ role: 'admin' })
  await boss.api(admin.changeUser, { params: { id: person.id }, body: { plan: 'business' } })
  await stripe.dispute({ invoice })
  await untilPasses(async () => expect(await fetchStates(person)).toEqual(['dispute open']))
  expect(await fetchPlan(person)).toBe('business')
  expect(await fetchReversals(await t.person())).toEqual([])
})

test('reversal: without permission to read charges payments work, and known disputes stay', async () => {
  await stripe.faults({ match: 'GET /v1/charges', times: 1_000, status: 403 })
  const { person, invoice } = await payer('pro')
  await stripe.faults()
  await stripe.dispute({ invoice })
  await untilPasses(async () => expect(await fetchPlan(person)).toBe('free'))
  await stripe.faults({ match: 'GET /v1/charges', times: 1_000, status: 403 })
  await syncDue(person)
  expect([await fetchPlan(person), await fetchStates(person)]).toEqual(['free', ['dispute open']])
  await stripe.faults()
})
