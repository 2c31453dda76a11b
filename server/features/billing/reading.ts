import { isPaid, plans } from '#contracts/plans.ts'
import type { Payments, StripeApi } from '#server/adapters/stripe/client.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import { queueLetter } from './letters.ts'
import { priceMeans, requirePayments } from './provider.ts'
import * as store from './store.ts'

type Subscription = Awaited<ReturnType<StripeApi['subscriptions']['list']>>['data'][number]
type Invoice = Awaited<ReturnType<StripeApi['invoices']['list']>>['data'][number]

const INVOICES = 24
const at = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null)
const isLive = (subscription: Subscription) => store.LIVE.includes(subscription.status)
const day = (date: Date | null) =>
  date?.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }) ?? 'unknown'
const titleOf = (plan: string | null) => plans[plan as keyof typeof plans]?.title ?? 'paid'

/**
 * Reads what the provider says of a workspace now and makes it ours. Events only say that something happened: in whatever
 * order and however often they come, what is read last counts. Throws what the library throws when it cannot be read.
 */
export async function readWorkspace(services: Services, workspaceId: string): Promise<void> {
  const { db } = services
  const payments = requirePayments(services)
  const row = await store.subscriptionOf(db, workspaceId)
  if (!row?.customerId) return
  const reading = await store.nextReading(db)
  const customer = row.customerId
  const all = (await payments.api.subscriptions.list({ customer, status: 'all', limit: 20 })).data
  const [live, ...second] = all.filter(isLive).sort((a, b) => a.created - b.created)
  for (const subscription of second) await takeBack(services, payments, subscription)
  const invoices = (await payments.api.invoices.list({ customer, limit: INVOICES })).data
  const shown = live ?? all.find((one) => one.id === row.subscriptionId) ?? all[0]
  await db.transaction().execute((db) => apply(services, db, workspaceId, reading, shown, invoices))
}

/** Nobody pays twice: a second subscription of the same workspace is ended and what it took is given back. */
async function takeBack({ log }: Services, { api }: Payments, subscription: Subscription): Promise<void> {
  log.warn({ subscription: subscription.id }, 'a second subscription of one workspace was ended and is refunded')
  await api.subscriptions.cancel(subscription.id)
  const invoice = subscription.latest_invoice
  if (!invoice) return
  const id = typeof invoice === 'string' ? invoice : invoice.id
  for (const { payment } of (await api.invoicePayments.list({ invoice: id })).data) {
    const intent = payment.payment_intent
    if (!intent) continue
    const paymentIntent = typeof intent === 'string' ? intent : intent.id
    await api.refunds.create({ payment_intent: paymentIntent }, { idempotencyKey: `twice:${paymentIntent}` })
  }
}

function seenOf(subscription: Subscription, row: store.SubscriptionRow): store.Reading {
  const item = subscription.items.data[0]
  const means = priceMeans(item?.price.lookup_key)
  // A price somebody made at the provider itself: the plan stays what it was.
  const kept = row.subscriptionId === subscription.id ? row : undefined
  return {
    subscriptionId: subscription.id,
    plan: means?.plan ?? kept?.plan ?? null,
    billingInterval: means?.interval ?? kept?.billingInterval ?? null,
    status: subscription.status,
    periodStart: at(item?.current_period_start),
    periodEnd: at(item?.current_period_end),
    trialEnd: at(subscription.trial_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
  }
}

async function apply(
  services: Services,
  db: Db,
  workspaceId: string,
  reading: string,
  shown: Subscription | undefined,
  invoices: Invoice[],
): Promise<void> {
  const row = await store.lockSubscription(db, workspaceId)
  if (BigInt(row.reading) > BigInt(reading)) return
  for (const invoice of invoices) await store.writeInvoice(db, invoiceOf(workspaceId, invoice))
  if (!shown) return
  const seen = seenOf(shown, row)
  const hadPlan = row.plan !== null && store.LIVE.includes(row.status)
  if (!hadPlan) await keepByHand(db, workspaceId)
  await store.writeReading(db, workspaceId, reading, seen)
  await store.applyPlan(db, workspaceId, 'payments')
  await tell(services, db, workspaceId, row, seen)
}

/** A paid plan that no subscription pays for was set by hand: it stays so beside the subscription that begins. */
async function keepByHand(db: Db, workspaceId: string): Promise<void> {
  if (await store.grantOf(db, workspaceId)) return
  const user = await db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .select('plan')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (user && isPaid(user.plan)) await store.setGrant(db, workspaceId, user.plan, null, '')
}

const invoiceOf = (workspaceId: string, invoice: Invoice) => ({
  id: invoice.id ?? '',
  workspaceId,
  number: invoice.number ?? '',
  status: invoice.status ?? 'draft',
  total: invoice.total,
  paid: invoice.amount_paid,
  currency: invoice.currency,
  periodStart: at(invoice.period_start),
  periodEnd: at(invoice.period_end),
  hostedUrl: invoice.hosted_invoice_url ?? null,
  pdfUrl: invoice.invoice_pdf ?? null,
  createdAt: new Date(invoice.created * 1000),
  paidAt: at(invoice.status_transitions?.paid_at),
})

/** Tells people what changed for them: it began, a payment failed, it is over. */
async function tell(
  services: Services,
  db: Db,
  workspaceId: string,
  before: store.SubscriptionRow,
  now: store.Reading,
): Promise<void> {
  const was = before.subscriptionId === now.subscriptionId && store.LIVE.includes(before.status)
  const is = store.LIVE.includes(now.status)
  const plan = titleOf(now.plan)
  const letter = (subject: string, text: string) => queueLetter(services, db, workspaceId, { subject, text })
  if (!was && is) {
    const next =
      now.trialEnd && now.status === 'trialing' ? `free until ${day(now.trialEnd)}` : `paid until ${day(now.periodEnd)}`
    await letter(
      `Your ${plan} plan is open`,
      `Your ${plan} plan is open, and ${next}. You can cancel it at any time until then.`,
    )
  } else if (was && !is) {
    await letter(
      `Your ${plan} plan has ended`,
      `Your ${plan} plan has ended. Your contacts, templates and reports are all kept. What the free plan does not have is closed until you choose a plan again.`,
    )
  } else if (now.status === 'past_due' && before.status !== 'past_due') {
    await letter(
      'A payment did not go through',
      `The payment for your ${plan} plan was declined. Your plan stays open for now, and the payment is tried again over the next two weeks. Change your card to be sure.`,
    )
  }
}

/** Three days before a trial ends. */
export async function tellTrialEnds(services: Services, db: Db, workspaceId: string): Promise<void> {
  const row = await store.subscriptionOf(db, workspaceId)
  if (row?.status !== 'trialing' || row.cancelAtPeriodEnd) return
  await queueLetter(services, db, workspaceId, {
    subject: `Your trial ends on ${day(row.trialEnd)}`,
    text: `Your trial of the ${titleOf(row.plan)} plan ends on ${day(row.trialEnd)}. Then the first payment is collected. If you cancel before, nothing is charged.`,
  })
}
