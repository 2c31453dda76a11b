import { isPaid, plans } from '#contracts/billing/plans.ts'
import type { Payments } from '#server/adapters/stripe/client.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import type { Services } from '#server/services.ts'
import { queueEmail } from './emails.ts'
import { isNotAllowed, isReturned, priceMeans, requirePayments } from './provider.ts'
import { type Effect, reportReversals } from './reversals/reversal-emails.ts'
import {
  addReversedInvoices,
  adjustRenewal,
  closingReversal,
  type Invoice,
  type Reversal,
  readReversals,
  type Subscription,
} from './reversals/reversals.ts'
import { storedReversals, writeReversals } from './reversals/reversals-store.ts'
import * as store from './store.ts'

/** What the provider said of a customer. */
interface Snapshot {
  /** The number of this sync. */
  syncNumber: string
  shown: Subscription | undefined
  /** Closes the plan of the shown subscription. */
  closing: Reversal | undefined
  invoices: Invoice[]
  reversals: Reversal[]
}

const INVOICES = 24
const at = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null)
const isLive = (subscription: Subscription) => store.LIVE.includes(subscription.status)
const day = (date: Date | null) =>
  date?.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }) ?? 'unknown'
const planTitle = (plan: string | null) => plans[plan as keyof typeof plans]?.title ?? 'paid'

/**
 * Reads what the provider says of a workspace now and makes it ours. Events only say that something happened: in whatever
 * order and however often they come, what is read last counts. Throws what the library throws when it cannot be read.
 */
export async function syncWorkspace(services: Services, workspaceId: string): Promise<void> {
  const { db } = services
  const payments = requirePayments(services)
  const row = await store.findSubscription(db, workspaceId)
  if (!row?.customerId) return
  const syncNumber = await store.nextSyncNumber(db)
  const customer = row.customerId
  const { api } = payments
  const all = (await api.subscriptions.list({ customer, status: 'all', limit: 20 })).data
  const listed = (await api.invoices.list({ customer, limit: INVOICES })).data
  const reversals = await knownReversals(services, api, workspaceId, customer)
  const invoices = await addReversedInvoices(api, listed, reversals)
  const closing = new Map(all.map((one) => [one.id, closingReversal(one, invoices, reversals)]))
  // One that is closed makes way for one that is paid for.
  const rank = ({ id }: Subscription) => (closing.get(id) ? 1 : 0)
  const [live, ...second] = all.filter(isLive).sort((a, b) => rank(a) - rank(b) || a.created - b.created)
  for (const subscription of second) await takeBack(services, payments, subscription, rank(subscription) === 1)
  const isClosed = live && rank(live) === 1
  const current = live && (await adjustRenewal(api, live, isClosed === true))
  const shown = current ?? all.find((one) => one.id === row.subscriptionId) ?? all[0]
  const snapshot = { syncNumber, shown, closing: live && closing.get(live.id), invoices, reversals }
  await retryUndone(() => db.transaction().execute((db) => apply(services, db, workspaceId, snapshot)))
}

/** Refunds and disputes as they are now. A restricted key may not read them: paying goes on, and what is stored stays. */
async function knownReversals(
  { db, log }: Services,
  api: Payments['api'],
  workspaceId: string,
  customer: string,
): Promise<Reversal[]> {
  try {
    return await readReversals(api, customer)
  } catch (error) {
    if (!isNotAllowed(error)) throw error
    log.warn(
      { err: error },
      'refunds and disputes cannot be read; the key needs the right to read charges and disputes',
    )
    return storedReversals(db, workspaceId)
  }
}

/** Nobody pays twice: a second subscription of the same workspace is ended, and what it took is given back unless it was already. */
async function takeBack(
  { log }: Services,
  { api }: Payments,
  subscription: Subscription,
  isReversed: boolean,
): Promise<void> {
  log.warn({ subscription: subscription.id }, 'a second subscription of one workspace is ended and refunded')
  const invoice = isReversed ? null : subscription.latest_invoice
  // Refunded first: a subscription that is ended is not looked at again.
  if (invoice) await refundInvoice(api, typeof invoice === 'string' ? invoice : (invoice.id ?? ''))
  await api.subscriptions.cancel(subscription.id)
}

async function refundInvoice(api: Payments['api'], invoice: string): Promise<void> {
  for (const { payment } of (await api.invoicePayments.list({ invoice })).data) {
    const intent = payment.payment_intent
    if (!intent) continue
    const paymentIntent = typeof intent === 'string' ? intent : intent.id
    await api.refunds
      .create({ payment_intent: paymentIntent }, { idempotencyKey: `twice:${paymentIntent}` })
      .catch((error: unknown) => {
        if (!isReturned(error)) throw error
      })
  }
}

function toSyncedState(
  subscription: Subscription,
  row: store.SubscriptionRow,
  closing: Reversal | undefined,
): store.SyncedState {
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
    reversalId: closing?.id ?? null,
  }
}

async function apply(services: Services, db: Db, workspaceId: string, snapshot: Snapshot): Promise<void> {
  const { syncNumber, shown, closing, invoices, reversals } = snapshot
  const row = await store.lockSubscription(db, workspaceId)
  if (BigInt(row.syncNumber) > BigInt(syncNumber)) return
  for (const invoice of invoices) await store.writeInvoice(db, toInvoiceRow(workspaceId, invoice))
  const changes = await writeReversals(db, workspaceId, reversals)
  const effect: Effect = { plan: planTitle(row.plan), closing, isOpenAgain: false }
  if (shown) {
    const seen = toSyncedState(shown, row, closing)
    const hadPlan = row.plan !== null && store.LIVE.includes(row.status)
    if (!hadPlan) await keepByHand(db, workspaceId)
    await store.writeSyncedState(db, workspaceId, syncNumber, seen)
    await store.applyPlan(db, workspaceId, 'payments')
    await tell(services, db, workspaceId, row, seen)
    effect.plan = planTitle(seen.plan)
    effect.isOpenAgain = isOpenAgain(row, seen)
  }
  await reportReversals(services, db, workspaceId, changes, effect)
}

const isOpenAgain = (before: store.SubscriptionRow, now: store.SyncedState) =>
  before.reversalId !== null && before.subscriptionId === now.subscriptionId && store.isOpen(now)

/** A paid plan that no subscription pays for was set by hand: it stays so beside the subscription that begins. */
async function keepByHand(db: Db, workspaceId: string): Promise<void> {
  if (await store.findGrant(db, workspaceId)) return
  const user = await db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .select('plan')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (user && isPaid(user.plan)) await store.setGrant(db, workspaceId, user.plan, null)
}

const toInvoiceRow = (workspaceId: string, invoice: Invoice) => ({
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

/** Tells people what changed for them: it began, a payment failed, it is over. A refund or dispute that closes it is reported apart. */
async function tell(
  services: Services,
  db: Db,
  workspaceId: string,
  before: store.SubscriptionRow,
  now: store.SyncedState,
): Promise<void> {
  const was = before.subscriptionId === now.subscriptionId && store.isOpen(before)
  const is = store.isOpen(now)
  const plan = planTitle(now.plan)
  const email = (subject: string, text: string) => queueEmail(services, db, workspaceId, { subject, text })
  if (isOpenAgain(before, now)) {
    await email(
      `Your ${plan} plan is active again`,
      `The issue with your payment is resolved. Your ${plan} plan is active again and paid until ${day(now.periodEnd)}.`,
    )
  } else if (!was && is) {
    const next =
      now.trialEnd && now.status === 'trialing' ? `free until ${day(now.trialEnd)}` : `paid until ${day(now.periodEnd)}`
    await email(
      `Your ${plan} plan is active`,
      `Thanks for choosing ${plan}. Your plan is active and ${next}. You can cancel at any time before then.`,
    )
  } else if (was && !is && !now.reversalId) {
    await email(
      `Your ${plan} plan has ended`,
      `Your ${plan} plan has ended. Your contacts, templates and reports are still here. Tools that the free plan does not include are locked until you choose a plan again.`,
    )
  } else if (is && now.status === 'past_due' && before.status !== 'past_due') {
    await email(
      'Your payment failed',
      `We couldn’t charge your card for the ${plan} plan. Your plan stays active for now, and we will try again over the next two weeks. To avoid losing access, update your card.`,
    )
  }
}

/** Three days before a trial ends. */
export async function tellTrialEnds(services: Services, db: Db, workspaceId: string): Promise<void> {
  const row = await store.findSubscription(db, workspaceId)
  if (row?.status !== 'trialing' || row.cancelAtPeriodEnd) return
  await queueEmail(services, db, workspaceId, {
    subject: `Your trial ends on ${day(row.trialEnd)}`,
    text: `Your ${planTitle(row.plan)} trial ends on ${day(row.trialEnd)}, and we will charge your card on that day. If you cancel before then, you will not be charged.`,
  })
}
