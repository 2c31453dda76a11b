import type { Events } from './events.ts'
import { missing, wrong } from './refusal.ts'
import type { Charge, Dispute, DisputeStatus, Invoice, Refund, RefundStatus, State } from './state.ts'

const RESPONSE_SECONDS = 7 * 86_400
/** An inquiry takes no money yet; in every other state it was taken, unless the dispute is won or was prevented. */
const isInquiry = (status: DisputeStatus) => status.startsWith('warning_')
const isClosed = (status: DisputeStatus) => ['won', 'lost', 'warning_closed', 'prevented'].includes(status)
const counts = ({ status }: Refund) => status === 'succeeded' || status === 'pending'

/** Charges, and the refunds and disputes that take them back, with the events the real service makes. */
export class Reversals {
  readonly #state: State
  readonly #events: Events

  constructor(state: State, events: Events) {
    this.#state = state
    this.#events = events
  }

  /** Records one try to collect an invoice from the card on file. */
  charge(invoice: Invoice, succeeded: boolean): Charge {
    const charge: Charge = {
      ...this.#state.resource('charge', 'ch'),
      amount: invoice.amount_due,
      amount_captured: succeeded ? invoice.amount_due : 0,
      amount_refunded: 0,
      captured: succeeded,
      currency: invoice.currency,
      customer: invoice.customer,
      disputed: false,
      failure_code: succeeded ? null : 'card_declined',
      paid: succeeded,
      payment_intent: invoice.payment_intent,
      refunded: false,
      status: succeeded ? 'succeeded' : 'failed',
    }
    this.#state.stored.charges[charge.id] = charge
    return charge
  }

  /** The charge that paid a payment intent, by its id or by the intent's. Throws StripeRefusal 404. */
  paidCharge(given: { charge?: string | undefined; payment_intent?: string | undefined }): Charge {
    const { charges } = this.#state.stored
    const found = given.charge
      ? charges[given.charge]
      : Object.values(charges).find((one) => one.paid && one.payment_intent === given.payment_intent)
    if (found) return found
    throw given.charge
      ? missing('charge', given.charge, 'charge')
      : missing('payment_intent', given.payment_intent ?? '', 'payment_intent')
  }

  /** The charge that paid an invoice. Throws StripeRefusal 404. */
  chargeOfInvoice(id: string): Charge {
    const invoice = this.#state.stored.invoices[id]
    if (!invoice) throw missing('invoice', id, 'invoice')
    return this.paidCharge({ payment_intent: invoice.payment_intent })
  }

  listRefunds(charge: Charge): Refund[] {
    return Object.values(this.#state.stored.refunds).filter((refund) => refund.charge === charge.id)
  }

  /** Refunds `amount` cents of a charge, or what is left of it. Throws StripeRefusal as the real service does. */
  refund(charge: Charge, amount?: number, status: RefundStatus = 'succeeded', reason: string | null = null): Refund {
    const left = charge.amount - charge.amount_refunded
    if (left <= 0) throw wrong(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded')
    if (this.#listDisputes(charge).some((one) => !one.is_charge_refundable))
      throw wrong(`Charge ${charge.id} has been charged back; cannot issue a refund.`, undefined, 'charge_disputed')
    if (amount !== undefined && (amount <= 0 || amount > left))
      throw wrong(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount')
    const refund: Refund = {
      ...this.#state.resource('refund', 're'),
      amount: amount ?? left,
      charge: charge.id,
      currency: charge.currency,
      customer: null,
      payment_intent: charge.payment_intent,
      reason,
      status,
    }
    this.#state.stored.refunds[refund.id] = refund
    this.#recount(charge)
    this.#events.emit('refund.created', refund)
    this.#events.emit('charge.refunded', charge)
    return refund
  }

  /** What became of a refund later: a bank may send it back after days. */
  settleRefund(refund: Refund, status: RefundStatus): void {
    refund.status = status
    this.#recount(this.paidCharge({ charge: refund.charge }))
    if (status === 'failed') {
      refund.failure_reason = 'expired_or_canceled_card'
      this.#events.emit('refund.failed', refund)
    }
    this.#events.emit('refund.updated', refund)
    this.#events.emit('charge.refund.updated', refund)
  }

  #recount(charge: Charge): void {
    const refunded = this.listRefunds(charge).filter(counts)
    charge.amount_refunded = refunded.reduce((sum, { amount }) => sum + amount, 0)
    charge.refunded = charge.amount_refunded >= charge.amount
  }

  #listDisputes(charge: Charge): Dispute[] {
    return Object.values(this.#state.stored.disputes).filter((dispute) => dispute.charge === charge.id)
  }

  /** The payer's bank takes a charge back, or only asks about it (`warning_needs_response`). */
  dispute(charge: Charge, status: DisputeStatus = 'needs_response', reason = 'fraudulent', amount?: number): Dispute {
    const resource = this.#state.resource('dispute', 'du')
    const dispute: Dispute = {
      ...resource,
      amount: amount ?? charge.amount,
      balance_transactions: [],
      charge: charge.id,
      currency: charge.currency,
      evidence: {},
      evidence_details: {
        due_by: resource.created + RESPONSE_SECONDS,
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      is_charge_refundable: isInquiry(status),
      payment_intent: charge.payment_intent,
      reason,
      status,
    }
    this.#state.stored.disputes[dispute.id] = dispute
    charge.disputed = true
    this.#events.emit('charge.dispute.created', dispute)
    if (!isInquiry(status)) this.#move(dispute, -dispute.amount, 'charge.dispute.funds_withdrawn')
    return dispute
  }

  /** A dispute's next state, with the money that moves by it. */
  settleDispute(dispute: Dispute, status: DisputeStatus): void {
    const wasInquiry = isInquiry(dispute.status)
    dispute.status = status
    dispute.is_charge_refundable = isInquiry(status)
    this.#events.emit(isClosed(status) ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute)
    if (wasInquiry && !isInquiry(status) && status !== 'prevented')
      this.#move(dispute, -dispute.amount, 'charge.dispute.funds_withdrawn')
    if (status === 'won') this.#move(dispute, dispute.amount, 'charge.dispute.funds_reinstated')
  }

  #move(dispute: Dispute, amount: number, event: string): void {
    const transaction = { ...this.#state.resource('balance_transaction', 'txn'), amount, currency: dispute.currency }
    dispute.balance_transactions.push({ ...transaction, type: 'adjustment', source: dispute.id })
    this.#events.emit(event, dispute)
  }
}
