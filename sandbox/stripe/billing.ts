import type { Events } from './events.ts'
import { Invoices } from './invoices.ts'
import { declined } from './refusal.ts'
import type { Reversals } from './reversals.ts'
import type { Customer, Price, Session, State, Subscription } from './state.ts'

const DAY = 86_400
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

/** Subscriptions, as time and people move them. Every change makes the events the real service makes. */
export class Billing {
  readonly #state: State
  readonly #events: Events
  readonly #invoices: Invoices

  constructor(state: State, events: Events, reversals: Reversals, url: string) {
    this.#state = state
    this.#events = events
    this.#invoices = new Invoices(state, events, reversals, url)
  }

  /** A customer chose a card on the checkout page. Throws StripeRefusal when it is declined; nothing has happened then. */
  pay(session: Session, card: Customer['card'], slow: boolean): void {
    if (card === 'declines') throw declined()
    const customer = this.#state.customer(session.customer)
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
    this.#invoices.bill(subscription, price.unit_amount, 'subscription_create', subscription.status === 'trialing')
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
      discount: this.#findDiscount(session.promotion_code),
      warned: false,
    }
    this.#state.stored.subscriptions[subscription.id] = subscription
    return subscription
  }

  #findDiscount(codeId: string | null): Subscription['discount'] {
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
    const customer = this.#state.customer(subscription.customer)
    if (!item || item.price.id === price.id) return
    const due = this.proration(subscription, price)
    if (due > 0 && customer.card !== 'works') throw declined()
    if (item.price.recurring.interval !== price.recurring.interval && subscription.status !== 'trialing') {
      item.current_period_start = this.#state.now()
      item.current_period_end = periodEnd(item.current_period_start, price.recurring.interval)
    }
    item.price = price
    if (due > 0) this.#invoices.bill(subscription, due, 'subscription_update')
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
    if (this.#invoices.collect(subscription, invoice)) {
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
    const paid = this.#invoices.bill(subscription, item.price.unit_amount, 'subscription_cycle')
    subscription.status = paid ? 'active' : 'past_due'
    this.#events.emit('customer.subscription.updated', subscription)
  }
}
