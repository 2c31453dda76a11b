import type { ReversalState } from '#contracts/billing/billing.ts'
import type { StripeApi } from '#server/adapters/stripe/client.ts'
import { isNotAllowed } from '../provider.ts'

type Listed<Resource extends keyof StripeApi> = StripeApi[Resource] extends { list(...args: never[]): infer Page }
  ? Awaited<Page> extends { data: (infer Item)[] }
    ? Item
    : never
  : never
export type Subscription = Listed<'subscriptions'>
export type Invoice = Listed<'invoices'>
type Charge = Listed<'charges'>
type Refund = Listed<'refunds'>
type Dispute = Listed<'disputes'>

/** A refund or dispute as the provider says it now. Amounts are cents. */
export interface Reversal {
  id: string
  kind: 'refund' | 'dispute'
  invoiceId: string | null
  amount: number
  currency: string
  status: string
  reason: string
  createdAt: Date
}

/** The most a call returns at once. */
const MAX_LISTED = 100
/** Disputes whose money was taken and that are not decided. */
const OPEN = ['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review']
const DECIDED = ['won', 'warning_closed', 'prevented']

/** What a refund's or dispute's status means; a status that is not known takes no plan. */
export function reversalState({ kind, status }: { kind: string; status: string }): ReversalState {
  if (kind === 'refund') {
    if (status === 'succeeded') return 'refunded'
    return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
  }
  if (status === 'lost') return 'lost'
  if (OPEN.includes(status)) return 'open'
  return DECIDED.includes(status) ? 'won' : 'inquiry'
}

/** Whether the money is with the payer, or on its way there. */
export const isTakenBack = (reversal: { kind: string; status: string }): boolean =>
  ['refunded', 'pending', 'open', 'lost'].includes(reversalState(reversal))

const toId = (object: string | { id: string } | null | undefined) =>
  typeof object === 'string' ? object : (object?.id ?? null)

/** Reads every refund and dispute of a customer's last hundred charges. Throws what the library throws. */
export async function readReversals(api: StripeApi, customer: string): Promise<Reversal[]> {
  const charges = await api.charges.list({ customer, limit: MAX_LISTED, expand: ['data.refunds'] })
  const reversals: Reversal[] = []
  for (const charge of charges.data) {
    const refunds = await listRefunds(api, charge)
    const disputes = charge.disputed ? (await api.disputes.list({ charge: charge.id, limit: MAX_LISTED })).data : []
    if (refunds.length === 0 && disputes.length === 0) continue
    const invoiceId = await invoiceOfCharge(api, charge)
    for (const refund of refunds) reversals.push(toReversal('refund', invoiceId, refund))
    for (const dispute of disputes) reversals.push(toReversal('dispute', invoiceId, dispute))
  }
  return reversals
}

async function listRefunds(api: StripeApi, { id, refunds }: Charge): Promise<Refund[]> {
  return refunds?.has_more ? (await api.refunds.list({ charge: id, limit: MAX_LISTED })).data : (refunds?.data ?? [])
}

/** The invoice a charge paid; null for a charge made without one. */
async function invoiceOfCharge(api: StripeApi, charge: Charge): Promise<string | null> {
  const intent = toId(charge.payment_intent)
  if (!intent) return null
  const payments = await api.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent } })
  return toId(payments.data[0]?.invoice)
}

function toReversal(kind: Reversal['kind'], invoiceId: string | null, object: Refund | Dispute): Reversal {
  const { id, amount, currency, status, reason, created } = object
  const createdAt = new Date(created * 1000)
  return { id, kind, invoiceId, amount, currency, status: status ?? 'pending', reason: reason ?? '', createdAt }
}

/** `invoices` with those added that a refund or dispute is about and that are older than the list. */
export async function addReversedInvoices(
  api: StripeApi,
  invoices: Invoice[],
  reversals: Reversal[],
): Promise<Invoice[]> {
  const known = new Set(invoices.map(({ id }) => id))
  const missing = new Set(reversals.flatMap(({ invoiceId }) => (invoiceId && !known.has(invoiceId) ? [invoiceId] : [])))
  const older: Invoice[] = []
  for (const id of missing) older.push(await api.invoices.retrieve(id))
  return [...invoices, ...older]
}

/** Until when an invoice pays, in seconds since 1970: its lines have the period, its own one is the period before. */
const paidUntil = (invoice: Invoice) =>
  Math.max(invoice.period_end, ...invoice.lines.data.map((line) => line.period.end))

/**
 * The refund or dispute that closes what a subscription pays for: an open or lost dispute of any of its payments, or the
 * last of the refunds that together return all that was paid for its current period. Undefined while it is paid for.
 */
export function closingReversal(
  subscription: Subscription,
  invoices: Invoice[],
  reversals: Reversal[],
): Reversal | undefined {
  const own = invoices.filter((one) => toId(one.parent?.subscription_details?.subscription) === subscription.id)
  const takenBack = reversals
    .filter(isTakenBack)
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .filter((reversal) => own.some(({ id }) => id === reversal.invoiceId))
  const dispute = takenBack.find(({ kind }) => kind === 'dispute')
  if (dispute) return dispute
  const start = subscription.items.data[0]?.current_period_start ?? 0
  const current = own.filter((one) => one.amount_paid > 0 && paidUntil(one) > start)
  const refunds = takenBack.filter(({ invoiceId }) => current.some(({ id }) => id === invoiceId))
  const paid = current.reduce((sum, one) => sum + one.amount_paid, 0)
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0)
  return paid > 0 && refunded >= paid ? refunds[0] : undefined
}

/** Marks at the provider that the end of a subscription is ours, not the customer's. */
const MARK = 'ends_by'

/**
 * Nothing is collected for a closed plan: its subscription ends with its period at the provider, and goes on again when
 * the plan does. Returns the subscription as it is then.
 */
export async function adjustRenewal(
  api: StripeApi,
  subscription: Subscription,
  isClosed: boolean,
): Promise<Subscription> {
  const { id, cancel_at_period_end: ends, metadata } = subscription
  if (isClosed && !ends)
    return api.subscriptions.update(id, { cancel_at_period_end: true, metadata: { [MARK]: 'reversal' } })
  if (!isClosed && metadata[MARK] === 'reversal')
    return api.subscriptions.update(id, { cancel_at_period_end: false, metadata: { [MARK]: '' } })
  return subscription
}

/** Whose charge it is; undefined for one nobody knows, without a customer, or that the key may not read. */
export async function customerOfCharge(api: StripeApi, id: string): Promise<string | undefined> {
  try {
    return toId((await api.charges.retrieve(id)).customer) ?? undefined
  } catch (error) {
    if (isNotAllowed(error)) return undefined
    throw error
  }
}
