import type { z } from 'zod'
import type { billing } from '#contracts/billing/billing.ts'
import { isPaid, planRank, trialDays } from '#contracts/billing/plans.ts'
import type { Payments } from '#server/adapters/stripe/client.ts'
import type { Db } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import * as checkouts from './checkouts-store.ts'
import { holdFor, syncCoupon } from './coupons/coupons.ts'
import { couponByCode, noteUse } from './coupons/coupons-store.ts'
import {
  asked,
  type Interval,
  installationKey,
  isAway,
  isMissing,
  type PaidPlan,
  priceId,
  requirePayments,
} from './provider.ts'
import * as store from './store.ts'
import { syncWorkspace } from './sync.ts'

type CheckoutRequest = z.output<typeof billing.checkout.body>

/** A checkout page can be paid for an hour; a coupon it holds is free again after that. */
const OPEN_MS = 3_600_000

const alreadySubscribed = () =>
  conflict('already_subscribed', 'You already have a subscription. Change its plan instead. Nothing was charged.')
const underWay = () =>
  conflict('payment_under_way', 'Another payment is in progress. Wait until it completes. You were not charged again.')

/** Opens the page where a subscription is paid. A second call returns the same page; another choice replaces the one before. */
export async function openCheckout(
  services: Services,
  caller: Caller,
  wish: CheckoutRequest,
): Promise<{ url: string }> {
  const payments = requirePayments(services)
  const { workspaceId } = caller
  await requireNone(services.db, caller, wish.plan)
  await giveWay(services, payments, workspaceId, wish)
  const row = await retryUndone(() => services.db.transaction().execute((db) => begin(db, caller, wish)))
  if (row.url) return { url: row.url }
  try {
    const session = await asked(openSession(services, payments, caller, row))
    if (await checkouts.noteSession(services.db, row, session.id, session.url ?? '')) return { url: session.url ?? '' }
    await payments.api.checkout.sessions.expire(session.id)
    throw conflict('replaced', 'Another checkout was opened at the same time. Continue there.')
  } catch (error) {
    // A second call for the same choice may have opened its page meanwhile.
    await services.db.transaction().execute((db) => checkouts.endUnlessOpened(db, row, 'failed'))
    throw error
  }
}

/** Who pays already, or has the plan by hand, is not to pay for it again. */
async function requireNone(db: Db, caller: Caller, plan: string): Promise<void> {
  const row = await store.findSubscription(db, caller.workspaceId)
  if (row && store.isOpen(row)) throw alreadySubscribed()
  if (isPaid(caller.plan) && planRank(caller.plan) >= planRank(plan))
    throw conflict('already_on_plan', 'Your plan was set by an admin and already includes this. Nothing was charged.')
}

async function isSame(db: Db, row: checkouts.CheckoutRow, wish: CheckoutRequest): Promise<boolean> {
  const coupon = wish.coupon ? await couponByCode(db, wish.coupon) : undefined
  return row.plan === wish.plan && row.billingInterval === wish.interval && row.couponId === (coupon?.id ?? null)
}

const hasEnded = (row: checkouts.CheckoutRow) => row.expiresAt.getTime() < Date.now() + 60_000

/** Takes an open checkout of another choice back at the provider first: there is never more than one that can be paid. */
async function giveWay(
  services: Services,
  payments: Payments,
  workspaceId: string,
  wish: CheckoutRequest,
): Promise<void> {
  const { db } = services
  const open = await checkouts.findOpenCheckout(db, workspaceId)
  if (!open || (!hasEnded(open) && (await isSame(db, open, wish)))) return
  if (open.sessionId) {
    const { sessionId } = open
    const session = await asked(payments.api.checkout.sessions.retrieve(sessionId))
    if (session.status === 'complete') {
      await settle(services, open)
      throw session.payment_status === 'unpaid' ? underWay() : alreadySubscribed()
    }
    if (session.status === 'open')
      await asked(
        payments.api.checkout.sessions.expire(sessionId).catch((error: unknown) => {
          throw isAway(error) ? error : underWay()
        }),
      )
  }
  const isOver = await db.transaction().execute((db) => checkouts.endUnlessOpened(db, open, 'replaced'))
  if (!isOver) await giveWay(services, payments, workspaceId, wish)
}

/** Writes the checkout down with the coupon it holds, or finds the same one that is open. */
async function begin(db: Db, caller: Caller, wish: CheckoutRequest): Promise<checkouts.CheckoutRow> {
  const { workspaceId } = caller
  const subscription = await store.lockSubscription(db, workspaceId)
  if (store.isOpen(subscription)) throw alreadySubscribed()
  const open = await checkouts.findOpenCheckout(db, workspaceId)
  if (open) {
    if (await isSame(db, open, wish)) return open
    throw underWay()
  }
  const coupon = wish.coupon ? await holdFor(db, wish.coupon, workspaceId, wish.plan) : undefined
  const row = await checkouts.insertCheckout(db, {
    workspaceId,
    plan: wish.plan,
    billingInterval: wish.interval,
    couponId: coupon?.id ?? null,
    expiresAt: new Date(Date.now() + OPEN_MS),
  })
  if (coupon) await noteUse(db, coupon.id, workspaceId, row.id)
  return row
}

async function openSession(services: Services, payments: Payments, caller: Caller, row: checkouts.CheckoutRow) {
  const price = await priceId(payments, row.plan as PaidPlan, row.billingInterval as Interval)
  const promotion = row.couponId ? await syncCoupon(services, row.couponId) : undefined
  if (row.couponId && !promotion)
    throw conflict('coupon_over', 'This coupon has just been deactivated. Nothing was charged.')
  const subscription = await store.findSubscription(services.db, caller.workspaceId)
  const { publicUrl } = services.config
  const open = (customer: string) =>
    payments.api.checkout.sessions.create(
      {
        mode: 'subscription',
        customer,
        client_reference_id: caller.workspaceId,
        line_items: [{ price, quantity: 1 }],
        ...(promotion && { discounts: [{ promotion_code: promotion }] }),
        subscription_data: {
          ...(!subscription?.trialUsed && { trial_period_days: trialDays }),
          metadata: { workspaceId: caller.workspaceId },
        },
        automatic_tax: { enabled: true },
        customer_update: { address: 'auto' },
        expires_at: Math.floor(row.expiresAt.getTime() / 1000),
        success_url: `${publicUrl}/plans/payment-status?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${publicUrl}/plan?checkout=left`,
      },
      { idempotencyKey: `checkout:${installationKey(services)}:${row.id}:${customer}` },
    )
  const customer = await ensureCustomer(services, payments, caller, subscription?.customerId)
  return open(customer).catch(async (error: unknown) => {
    // The keys of another account were set since: this one knows none of our customers.
    if (!isMissing(error, 'customer')) throw error
    return open(await ensureCustomer(services, payments, caller, null))
  })
}

/** The workspace's customer at the provider, made with the first checkout. */
async function ensureCustomer(
  services: Services,
  { api }: Payments,
  caller: Caller,
  known: string | null | undefined,
): Promise<string> {
  if (known) return known
  const { email, workspaceId } = caller
  const customer = await api.customers.create(
    { email, metadata: { workspaceId } },
    { idempotencyKey: `customer:${installationKey(services)}:${workspaceId}:${email}` },
  )
  await store.setCustomer(services.db, workspaceId, customer.id)
  return customer.id
}

/** Asks the provider what became of a checkout and ends it accordingly. Returns where it can still be paid. */
export async function settle(services: Services, row: checkouts.CheckoutRow): Promise<string | null> {
  const { api } = requirePayments(services)
  const session = await api.checkout.sessions.retrieve(row.sessionId ?? '')
  if (session.status === 'open') return session.url
  const paid = session.status === 'complete' && session.payment_status !== 'unpaid'
  if (session.status === 'complete' && !paid) return null
  if (paid) await syncWorkspace(services, row.workspaceId)
  await services.db.transaction().execute((db) => checkouts.endCheckout(db, row, paid ? 'paid' : 'failed'))
  return null
}

/** What became of a checkout of the caller's. Throws Refusal 404. */
export async function paymentStatus(services: Services, { workspaceId }: Caller, sessionId: string) {
  const find = () => checkouts.checkoutBySession(services.db, workspaceId, sessionId)
  let row = await find()
  if (!row) throw notFound('Payment')
  let url: string | null = null
  if (row.state === 'open' && services.payments) {
    // A provider that is down says nothing: it stays pending.
    url = await settle(services, row).catch((error) => {
      services.log.warn({ err: error }, 'a checkout could not be asked for')
      return null
    })
    row = (await find()) ?? row
  }
  const state =
    row.state === 'paid' ? ('paid' as const) : row.state === 'open' ? ('pending' as const) : ('failed' as const)
  return {
    state,
    plan: row.plan as PaidPlan,
    interval: row.billingInterval as Interval,
    url: state === 'pending' ? url : null,
  }
}
