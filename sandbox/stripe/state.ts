import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** An object as Stripe's API shows it; of each kind only what the product reads and what the emulator needs itself. */
export interface Resource {
  id: string
  object: string
  created: number
  livemode: boolean
  metadata: Record<string, string>
}
export interface Customer extends Resource {
  email: string | null
  name: string | null
  /** The card on file, by what it does; the real API keeps that to itself. */
  card: 'none' | 'works' | 'declines' | 'fails_later'
  /** Cents taken off the next invoices. */
  balance: number
}
export interface Product extends Resource {
  name: string
  active: boolean
}
export interface Price extends Resource {
  product: string
  currency: string
  unit_amount: number
  lookup_key: string | null
  active: boolean
  type: 'recurring'
  recurring: { interval: 'month' | 'year'; interval_count: 1 }
}
export interface Coupon extends Resource {
  name: string | null
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  duration: 'once' | 'repeating' | 'forever'
  duration_in_months: number | null
  applies_to: { products: string[] }
  valid: boolean
}
export interface PromotionCode extends Resource {
  code: string
  active: boolean
  promotion: { type: 'coupon'; coupon: string }
  max_redemptions: number | null
  times_redeemed: number
  expires_at: number | null
}
export interface Discount {
  coupon: string
  promotion_code: string | null
  /** null is for ever; 'once' ends with the first invoice. */
  ends: number | 'once' | null
}
export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  price: Price
  quantity: number
  current_period_start: number
  current_period_end: number
}
export interface Subscription extends Resource {
  customer: string
  status: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'canceled' | 'incomplete' | 'incomplete_expired'
  items: { object: 'list'; data: SubscriptionItem[]; has_more: false }
  cancel_at_period_end: boolean
  canceled_at: number | null
  ended_at: number | null
  trial_start: number | null
  trial_end: number | null
  latest_invoice: string | null
  currency: string
  discount: Discount | null
  warned: boolean
}
/** `period` is what a line pays for; the invoice's own period_start and period_end are the period before it. */
export interface InvoiceLine {
  description: string
  amount: number
  period: { start: number; end: number }
}
export interface Invoice extends Resource {
  customer: string
  number: string
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  currency: string
  subtotal: number
  total: number
  amount_due: number
  amount_paid: number
  amount_remaining: number
  billing_reason: string
  period_start: number
  period_end: number
  hosted_invoice_url: string
  invoice_pdf: string
  attempt_count: number
  next_payment_attempt: number | null
  status_transitions: { paid_at: number | null }
  parent: { type: 'subscription_details'; subscription_details: { subscription: string } }
  lines: { object: 'list'; data: InvoiceLine[]; has_more: false }
  payment_intent: string
}
export interface Session extends Resource {
  mode: 'subscription'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  customer: string
  client_reference_id: string | null
  subscription: string | null
  url: string | null
  success_url: string
  cancel_url: string
  expires_at: number
  currency: string
  amount_subtotal: number
  amount_total: number
  price: string
  trial_days: number
  promotion_code: string | null
  subscription_metadata: Record<string, string>
  /** When a slow bank responds. */
  answers_at: number | null
}
export interface Portal extends Resource {
  customer: string
  url: string
  return_url: string
}
export interface Charge extends Resource {
  amount: number
  amount_captured: number
  amount_refunded: number
  captured: boolean
  currency: string
  customer: string
  disputed: boolean
  failure_code: string | null
  paid: boolean
  payment_intent: string
  refunded: boolean
  status: 'succeeded' | 'failed'
}
export type RefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
export interface Refund extends Resource {
  amount: number
  charge: string
  currency: string
  customer: string | null
  payment_intent: string
  reason: string | null
  status: RefundStatus
  failure_reason?: string
}
export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'appeal_needs_response'
  | 'appeal_under_review'
  | 'won'
  | 'lost'
  | 'prevented'
export interface Dispute extends Resource {
  amount: number
  balance_transactions: (Resource & { amount: number; currency: string; type: string; source: string })[]
  charge: string
  currency: string
  evidence: Record<string, string>
  evidence_details: { due_by: number | null; has_evidence: boolean; past_due: boolean; submission_count: number }
  /** Whether a refund is still possible: during an inquiry. */
  is_charge_refundable: boolean
  payment_intent: string
  reason: string
  status: DisputeStatus
}
export interface Event extends Resource {
  type: string
  api_version: string
  data: { object: unknown }
}

export interface StoredObjects {
  customers: Record<string, Customer>
  products: Record<string, Product>
  prices: Record<string, Price>
  coupons: Record<string, Coupon>
  promotionCodes: Record<string, PromotionCode>
  sessions: Record<string, Session>
  subscriptions: Record<string, Subscription>
  invoices: Record<string, Invoice>
  portals: Record<string, Portal>
  charges: Record<string, Charge>
  refunds: Record<string, Refund>
  disputes: Record<string, Dispute>
  events: Record<string, Event>
  /** Seconds the emulator's clock is ahead of the machine's. */
  ahead: number
}

const empty = (): StoredObjects => ({
  customers: {},
  products: {},
  prices: {},
  coupons: {},
  promotionCodes: {},
  sessions: {},
  subscriptions: {},
  invoices: {},
  portals: {},
  charges: {},
  refunds: {},
  disputes: {},
  events: {},
  ahead: 0,
})

/** Everything the emulator knows, with a clock that can be put forward; stored in a file, so that a restart forgets nothing. */
export class State {
  readonly #file: string | undefined
  stored: StoredObjects

  constructor(file?: string) {
    this.#file = file
    this.stored = { ...empty(), ...read(file) }
  }

  /** Seconds since 1970 by the emulator's clock. */
  now(): number {
    return Math.floor(Date.now() / 1000) + this.stored.ahead
  }

  /** What every object begins with. */
  resource<K extends string>(object: K, prefix: string, metadata: Record<string, string> = {}) {
    const id = `${prefix}_${randomBytes(12).toString('hex')}`
    return { id, object, created: this.now(), livemode: false, metadata }
  }

  /** Throws where there is none: objects name only customers that exist. */
  customer(id: string): Customer {
    const customer = this.stored.customers[id]
    if (!customer) throw new Error(`no customer ${id}`)
    return customer
  }

  save(): void {
    if (!this.#file) return
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.stored), { mode: 0o600 })
    renameSync(`${this.#file}.new`, this.#file)
  }
}

function read(file: string | undefined): Partial<StoredObjects> {
  try {
    return file ? JSON.parse(readFileSync(file, 'utf8')) : {}
  } catch {
    return {}
  }
}
