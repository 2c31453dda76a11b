import type { Params } from './form.ts'
import { buildListPage, type PageOf } from './page.ts'
import { wrong } from './refusal.ts'
import type { Reversals } from './reversals.ts'
import type { Find, Route } from './route.ts'
import type { Charge, State } from './state.ts'

/** Charges, refunds and disputes, and which payment intent paid which invoice. */
export function reversalRoutes(state: State, reversals: Reversals, find: Find): Route[] {
  return [
    ...chargeRoutes(state, reversals, find),
    ...refundRoutes(state, reversals, find),
    ...disputeRoutes(state, reversals, find),
    {
      on: 'GET /v1/invoice_payments',
      takes: ['invoice', 'payment', 'status', 'limit'],
      respond: ({ params }) => invoicePayments(state, find, params),
    },
  ]
}

const listed = (data: object[], url: string): PageOf => ({ object: 'list', url, has_more: false, data })

/** The refunds of a charge are within it only where they are asked for. */
function shownCharge(reversals: Reversals, charge: Charge, expanded: boolean): object {
  if (!expanded) return charge
  const refunds = reversals.listRefunds(charge).reverse()
  const url = `/v1/charges/${charge.id}/refunds`
  return { ...charge, refunds: { ...listed(refunds.slice(0, 10), url), has_more: refunds.length > 10 } }
}

function chargeRoutes(state: State, reversals: Reversals, find: Find): Route[] {
  return [
    {
      on: 'GET /v1/charges',
      takes: ['customer', 'payment_intent', 'limit', 'starting_after'],
      respond: ({ params }) => {
        const all = matching(Object.values(state.stored.charges), params, ['customer', 'payment_intent'])
        const page = buildListPage(params, all, '/v1/charges')
        const expanded = params.texts('expand').includes('data.refunds')
        return { ...page, data: (page.data as Charge[]).map((one) => shownCharge(reversals, one, expanded)) }
      },
    },
    {
      on: 'GET /v1/charges/:id',
      takes: [],
      respond: ({ id, params }) =>
        shownCharge(reversals, find('charges', 'charge', id), params.texts('expand').includes('refunds')),
    },
  ]
}

function refundRoutes(state: State, reversals: Reversals, find: Find): Route[] {
  return [
    {
      on: 'POST /v1/refunds',
      takes: ['payment_intent', 'charge', 'amount', 'reason', 'metadata'],
      respond: ({ params }) => {
        const [charge, intent] = [params.text('charge'), params.text('payment_intent')]
        if (!charge && !intent)
          throw wrong('One of the following params should be provided for this request: payment_intent or charge.')
        const paid = reversals.paidCharge({ charge, payment_intent: intent })
        return reversals.refund(paid, params.number('amount'), 'succeeded', params.text('reason') ?? null)
      },
    },
    {
      on: 'GET /v1/refunds',
      takes: ['charge', 'payment_intent', 'limit', 'starting_after'],
      respond: ({ params }) =>
        buildListPage(
          params,
          matching(Object.values(state.stored.refunds), params, ['charge', 'payment_intent']),
          '/v1/refunds',
        ),
    },
    { on: 'GET /v1/refunds/:id', takes: [], respond: ({ id }) => find('refunds', 'refund', id) },
  ]
}

function disputeRoutes(state: State, reversals: Reversals, find: Find): Route[] {
  return [
    {
      on: 'GET /v1/disputes',
      takes: ['charge', 'payment_intent', 'limit', 'starting_after'],
      respond: ({ params }) =>
        buildListPage(
          params,
          matching(Object.values(state.stored.disputes), params, ['charge', 'payment_intent']),
          '/v1/disputes',
        ),
    },
    { on: 'GET /v1/disputes/:id', takes: [], respond: ({ id }) => find('disputes', 'dispute', id) },
    {
      on: 'POST /v1/disputes/:id/close',
      takes: [],
      respond: ({ id }) => {
        const dispute = find('disputes', 'dispute', id)
        if (['won', 'lost'].includes(dispute.status)) throw wrong('This dispute is already closed.')
        reversals.settleDispute(dispute, 'lost')
        return dispute
      },
    },
  ]
}

/** Those whose fields are as the filters say. */
function matching<T extends object>(all: T[], params: Params, filters: (keyof T & string)[]): T[] {
  return all.filter((one) =>
    filters.every((filter) => params.text(filter) === undefined || one[filter] === params.text(filter)),
  )
}

function invoicePayments(state: State, find: Find, params: Params): object {
  const wanted = params.inner('payment')
  const id = params.text('invoice')
  if (id) find('invoices', 'invoice', id, 'invoice')
  const paid = Object.values(state.stored.invoices).filter(
    (one) =>
      one.amount_paid > 0 &&
      (!id || one.id === id) &&
      (typeof wanted.payment_intent !== 'string' || one.payment_intent === wanted.payment_intent),
  )
  const payments = paid.map((one) => ({
    id: `inpay_${one.id}`,
    object: 'invoice_payment',
    amount_paid: one.amount_paid,
    created: one.created,
    currency: one.currency,
    invoice: one.id,
    payment: { type: 'payment_intent', payment_intent: one.payment_intent },
    status: 'paid',
  }))
  return listed(payments, '/v1/invoice_payments')
}
