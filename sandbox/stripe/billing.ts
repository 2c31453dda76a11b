import type { Events } from './events.ts'
import { declined } from './refusal.ts'
import type { Reversals } from './reversals.ts'
import type { Coupon, Customer, Invoice, Price, Session, State, Subscription } from './state.ts'

const DAY = 86_400
/** Days after a failed payment on which it is tried again; after the last one the subscription ends. */
const DUNNING_DAYS = [3, 8, 15]

/** The end of a period that begins at `start` (seconds): the same day of the next month or year, or its last day. */
export function periodEnd(start: number, interval: 'month' | 'year'): number {
  const from = new Date(start * 1000)
  const to = new Date(from)
  const months = interval === 'month' ? 1 : 12
  to.setUTCDate(1)
  to.setUTCMonth(from.getUTCMonth() + months)
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), last))
  return to.getTime() / 1000
}

/** Subscriptions and their invoices, as time and people move them. Every change makes the events the real service makes. */
export class Billing {
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

  /** A customer chose a card on the checkout page. Throws StripeRefusal when it is declined; nothing has happened then. */
  pay(session: Session, card: Customer['card'], slow: boolean): void {
    if (card === 'declines') throw declined()
    const customer = this.#customer(session.customer)
    customer.card = card
    if (slow) {
      session.answers_at = this.#state.now() + 3
      return
    }
    this.complete(session)
  }

  /** The payment of a session went through: the subscription begins. */
  complete(session: Session): void {
    const { stored } = this.#state
    const price = stored.prices[session.price]
    if (!price || session.status !== 'open') return
    session.answers_at = null
    const subscription = this.#begin(session, price)
    session.status = 'complete'
    session.subscription = subscription.id
    session.payment_status = session.amount_total === 0 ? 'no_payment_required' : 'paid'
    session.url = null
    const code = session.promotion_code ? stored.promotionCodes[session.promotion_code] : undefined
    if (code) code.times_redeemed++
    this.#events.emit('customer.subscription.created', subscription)
    this.#bill(subscription, price.unit_amount, 'subscription_create', subscription.status === 'trialing')
    this.#events.emit('checkout.session.completed', session)
  }

  #begin(session: Session, price: Price): Subscription {
    const now = this.#state.now()
    const trialEnd = session.trial_days > 0 ? now + session.trial_days * DAY : null
    const item = {
      id: this.#state.resource('subscription_item', 'si').id,
      object: 'subscription_item' as const,
      price,
      quantity: 1,
      current_period_start: now,
      current_period_end: trialEnd ?? periodEnd(now, price.recurring.interval),
    }
    const subscription: Subscription = {
      ...this.#state.resource('subscription', 'sub', session.subscription_metadata),
      customer: session.customer,
      status: trialEnd ? 'trialing' : 'active',
      items: { object: 'list', data: [item], has_more: false },
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      trial_start: trialEnd ? now : null,
      trial_end: trialEnd,
      latest_invoice: null,
      currency: price.currency,
      discount: this.#discountOf(session.promotion_code),
      warned: false,
    }
    this.#state.stored.subscriptions[subscription.id] = subscription
    return subscription
  }

  #discountOf(codeId: string | null): Subscription['discount'] {
    const code = codeId ? this.#state.stored.promotionCodes[codeId] : undefined
    const coupon = code && this.#state.stored.coupons[code.promotion.coupon]
    if (!code || !coupon) return null
    const months = coupon.duration_in_months ?? 0
    const ends =
      coupon.duration === 'once'
        ? 'once'
        : coupon.duration === 'forever'
          ? null
          : this.#state.now() + months * 30.5 * DAY
    return { coupon: coupon.id, promotion_code: code.id, ends }
  }

  /** The amount a subscription's discount leaves of a price, in cents. */
  discounted(amount: number, coupon: Coupon | undefined): number {
    if (!coupon) return amount
    return Math.max(0, Math.round(amount - (coupon.amount_off ?? (amount * (coupon.percent_off ?? 0)) / 100)))
  }

  /** Writes an invoice and collects it from the card on file. Returns whether it was paid. */
  #bill(subscription: Subscription, amount: number, reason: string, free = false): boolean {
    const customer = this.#customer(subscription.customer)
    const { discount } = subscription
    const now = this.#state.now()
    const holds = discount && (discount.ends === null || discount.ends === 'once' || discount.ends > now)
    const coupon = holds ? this.#state.stored.coupons[discount.coupon] : undefined
    if (discount?.ends === 'once' && !free) subscription.discount = null
    const subtotal = free ? 0 : amount
    const reduced = free ? 0 : this.discounted(amount, coupon)
    const credit = Math.min(Math.max(0, -customer.balance), Math.max(0, reduced))
    const invoice = this.#invoice(subscription, subtotal, reduced - credit, reason)
    customer.balance += credit
    this.#events.emit('invoice.created', invoice)
    return this.#collect(subscription, invoice)
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
  #collect(subscription: Subscription, invoice: Invoice): boolean {
    const customer = this.#customer(subscription.customer)
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

  /** What a change to another price costs now: the rest of the new period's price less the rest of the old one's, in cents. */
  proration(subscription: Subscription, price: Price): number {
    const item = subscription.items.data[0]
    if (!item || subscription.status === 'trialing') return 0
    const now = this.#state.now()
    const left = Math.max(0, item.current_period_end - now) / (item.current_period_end - item.current_period_start)
    const unused = Math.round(item.price.unit_amount * left)
    return (
      (item.price.recurring.interval === price.recurring.interval
        ? Math.round(price.unit_amount * left)
        : price.unit_amount) - unused
    )
  }

  /** Changes the price at once; what is to be paid more is collected first. Throws StripeRefusal when the card is declined. */
  change(subscription: Subscription, price: Price): void {
    const item = subscription.items.data[0]
    const customer = this.#customer(subscription.customer)
    if (!item || item.price.id === price.id) return
    const due = this.proration(subscription, price)
    if (due > 0 && customer.card !== 'works') throw declined()
    if (item.price.recurring.interval !== price.recurring.interval && subscription.status !== 'trialing') {
      item.current_period_start = this.#state.now()
      item.current_period_end = periodEnd(item.current_period_start, price.recurring.interval)
    }
    item.price = price
    if (due > 0) this.#bill(subscription, due, 'subscription_update')
    else customer.balance += due
    this.#events.emit('customer.subscription.updated', subscription)
  }

  /** Says whether it ends with the period that is paid for. */
  setEnding(subscription: Subscription, ends: boolean): void {
    if (subscription.cancel_at_period_end === ends) return
    subscription.cancel_at_period_end = ends
    subscription.canceled_at = ends ? this.#state.now() : null
    this.#events.emit('customer.subscription.updated', subscription)
  }

  /** Ends it at once. */
  end(subscription: Subscription): void {
    subscription.status = 'canceled'
    subscription.ended_at = this.#state.now()
    subscription.canceled_at ??= subscription.ended_at
    this.#events.emit('customer.subscription.deleted', subscription)
  }

  /** A new card on file: what is open is tried again at once. */
  setCard(customer: Customer, card: Customer['card']): void {
    customer.card = card
    this.#events.emit('customer.updated', customer)
    for (const subscription of this.#of(customer.id)) if (subscription.status === 'past_due') this.#retry(subscription)
  }

  #of(customer: string): Subscription[] {
    return Object.values(this.#state.stored.subscriptions).filter((one) => one.customer === customer)
  }

  #retry(subscription: Subscription): void {
    const invoice = this.#state.stored.invoices[subscription.latest_invoice ?? '']
    if (invoice?.status !== 'open') return
    if (this.#collect(subscription, invoice)) {
      subscription.status = 'active'
      this.#events.emit('customer.subscription.updated', subscription)
    } else if (invoice.next_payment_attempt === null) this.end(subscription)
  }

  /** What is due by the clock: slow banks, sessions that ran out, trials that end, renewals, payments tried again. Returns whether anything was. */
  tick(): boolean {
    const now = this.#state.now()
    let moved = false
    for (const session of Object.values(this.#state.stored.sessions)) {
      if (session.status !== 'open') continue
      if (session.answers_at !== null && session.answers_at <= now) this.complete(session)
      else if (session.answers_at === null && session.expires_at <= now) this.expire(session)
      else continue
      moved = true
    }
    for (const subscription of Object.values(this.#state.stored.subscriptions)) {
      for (let rounds = 0; rounds < 30 && this.#moveOn(subscription, now); rounds++) moved = true
    }
    return moved
  }

  expire(session: Session): void {
    session.status = 'expired'
    session.url = null
    this.#events.emit('checkout.session.expired', session)
  }

  /** One step of one subscription, if its time has come. */
  #moveOn(subscription: Subscription, now: number): boolean {
    const item = subscription.items.data[0]
    if (!item) return false
    if (subscription.status === 'past_due') {
      const invoice = this.#state.stored.invoices[subscription.latest_invoice ?? '']
      if (!invoice?.next_payment_attempt || invoice.next_payment_attempt > now) return false
      this.#retry(subscription)
      return true
    }
    if (subscription.status !== 'active' && subscription.status !== 'trialing') return false
    if (subscription.status === 'trialing' && !subscription.warned && item.current_period_end - 3 * DAY <= now) {
      subscription.warned = true
      this.#events.emit('customer.subscription.trial_will_end', subscription)
      return true
    }
    if (item.current_period_end > now) return false
    if (subscription.cancel_at_period_end) this.end(subscription)
    else this.#renew(subscription)
    return true
  }

  #renew(subscription: Subscription): void {
    const item = subscription.items.data[0]
    if (!item) return
    item.current_period_start = item.current_period_end
    item.current_period_end = periodEnd(item.current_period_start, item.price.recurring.interval)
    const paid = this.#bill(subscription, item.price.unit_amount, 'subscription_cycle')
    subscription.status = paid ? 'active' : 'past_due'
    this.#events.emit('customer.subscription.updated', subscription)
  }

  #customer(id: string): Customer {
    const customer = this.#state.stored.customers[id]
    if (!customer) throw new Error(`no customer ${id}`)
    return customer
  }
}
