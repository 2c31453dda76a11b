import type { Events } from './events.ts'
import type { Reversals } from './reversals.ts'
import type { Coupon, Invoice, State, Subscription } from './state.ts'

const DAY = 86_400
/** Days after a failed payment on which it is tried again; after the last one the subscription ends. */
const DUNNING_DAYS = [3, 8, 15]

/** The amount a subscription's discount leaves of a price, in cents. */
export function discounted(amount: number, coupon: Coupon | undefined): number {
  if (!coupon) return amount
  return Math.max(0, Math.round(amount - (coupon.amount_off ?? (amount * (coupon.percent_off ?? 0)) / 100)))
}

/** The invoices of subscriptions, and taking their money. */
export class Invoices {
  readonly #state: State
  readonly #events: Events
  readonly #reversals: Reversals
  readonly #url: string

  constructor(state: State, events: Events, reversals: Reversals, url: string) {
    this.#state = state
    this.#events = events
    this.#reversals = reversals
    this.#url = url
  }

  /** Writes an invoice and collects it from the card on file. Returns whether it was paid. */
  bill(subscription: Subscription, amount: number, reason: string, free = false): boolean {
    const customer = this.#state.customer(subscription.customer)
    const { discount } = subscription
    const now = this.#state.now()
    const holds = discount && (discount.ends === null || discount.ends === 'once' || discount.ends > now)
    const coupon = holds ? this.#state.stored.coupons[discount.coupon] : undefined
    if (discount?.ends === 'once' && !free) subscription.discount = null
    const subtotal = free ? 0 : amount
    const reduced = free ? 0 : discounted(amount, coupon)
    const credit = Math.min(Math.max(0, -customer.balance), Math.max(0, reduced))
    const invoice = this.#invoice(subscription, subtotal, reduced - credit, reason)
    customer.balance += credit
    this.#events.emit('invoice.created', invoice)
    return this.collect(subscription, invoice)
  }

  #invoice(subscription: Subscription, subtotal: number, total: number, reason: string): Invoice {
    const item = subscription.items.data[0]
    const resource = this.#state.resource('invoice', 'in')
    const start = reason === 'subscription_update' ? resource.created : (item?.current_period_start ?? resource.created)
    const before = this.#state.stored.invoices[subscription.latest_invoice ?? '']?.lines.data[0]?.period.start
    const invoice: Invoice = {
      ...resource,
      customer: subscription.customer,
      number: `SANDBOX-${String(Object.keys(this.#state.stored.invoices).length + 1).padStart(4, '0')}`,
      status: 'open',
      currency: subscription.currency,
      subtotal,
      total,
      amount_due: Math.max(0, total),
      amount_paid: 0,
      amount_remaining: Math.max(0, total),
      billing_reason: reason,
      period_start: reason === 'subscription_cycle' ? (before ?? start) : start,
      period_end: start,
      hosted_invoice_url: `${this.#url}/i/${resource.id}`,
      invoice_pdf: `${this.#url}/i/${resource.id}`,
      attempt_count: 0,
      next_payment_attempt: null,
      status_transitions: { paid_at: null },
      parent: { type: 'subscription_details', subscription_details: { subscription: subscription.id } },
      lines: {
        object: 'list',
        data: [
          {
            description: this.#describe(subscription, reason),
            amount: subtotal,
            period: { start, end: item?.current_period_end ?? start },
          },
        ],
        has_more: false,
      },
      payment_intent: this.#state.resource('payment_intent', 'pi').id,
    }
    this.#state.stored.invoices[invoice.id] = invoice
    subscription.latest_invoice = invoice.id
    return invoice
  }

  #describe(subscription: Subscription, reason: string): string {
    const price = subscription.items.data[0]?.price
    const name = this.#state.stored.products[price?.product ?? '']?.name ?? 'Subscription'
    return reason === 'subscription_update' ? `Change to ${name}` : name
  }

  /** Takes the money of an open invoice. `first` payments of the failing card work, later ones do not. */
  collect(subscription: Subscription, invoice: Invoice): boolean {
    const customer = this.#state.customer(subscription.customer)
    invoice.attempt_count++
    const isFirst = invoice.billing_reason === 'subscription_create'
    const works = customer.card === 'works' || (customer.card === 'fails_later' && isFirst)
    if (invoice.amount_due > 0) this.#reversals.charge(invoice, works)
    if (invoice.amount_due > 0 && !works) {
      const days = DUNNING_DAYS[invoice.attempt_count - 1]
      invoice.next_payment_attempt = days === undefined ? null : invoice.created + days * DAY
      this.#events.emit('invoice.payment_failed', invoice)
      return false
    }
    invoice.status = 'paid'
    invoice.amount_paid = invoice.amount_due
    invoice.amount_remaining = 0
    invoice.next_payment_attempt = null
    invoice.status_transitions.paid_at = this.#state.now()
    this.#events.emit('invoice.paid', invoice)
    return true
  }
}
