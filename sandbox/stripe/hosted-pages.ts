import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Billing } from './billing.ts'
import { discounted } from './invoices.ts'
import { checkoutPage, type HtmlPage, invoicePage, plainPage, portalPage } from './pages.ts'
import { StripeRefusal } from './refusal.ts'
import type { Customer, Session, State } from './state.ts'

const cards = new Set<string>(['works', 'declines', 'fails_later'])

/** The pages Stripe shows to people itself: checkout, portal, invoice. The address is the key to them, as with the real ones. */
export class HostedPages {
  readonly #state: State
  readonly #billing: Billing

  constructor(state: State, billing: Billing) {
    this.#state = state
    this.#billing = billing
  }

  respond(request: IncomingMessage, url: URL, body: string, response: ServerResponse): void {
    const [, area, kind = '', last = ''] = url.pathname.split('/')
    const form = request.method === 'POST' ? new URLSearchParams(body) : undefined
    if (area === 'c') return this.#checkout(this.#state.stored.sessions[last], form, response)
    if (area === 'p') return this.#portal(last, form, response)
    const invoice = this.#state.stored.invoices[kind]
    if (!invoice) return show(response, 404, plainPage('No such invoice', 'Check the address.'))
    show(response, 200, invoicePage(invoice))
  }

  #checkout(session: Session | undefined, form: URLSearchParams | undefined, response: ServerResponse): void {
    if (!session) return show(response, 404, plainPage('No such checkout', 'Check the address.'))
    if (session.status === 'complete' || session.answers_at !== null) return lead(response, session.success_url)
    if (session.status === 'expired')
      return show(
        response,
        410,
        plainPage('This checkout has ended', 'Nothing was paid. Start again in Postlark.', session.cancel_url),
      )
    if (!form) return show(response, 200, checkoutPage(this.#shown(session)))
    const card = form.get('card') ?? ''
    try {
      this.#billing.pay(session, (cards.has(card) ? card : 'works') as Customer['card'], card === 'slow')
      lead(response, session.success_url)
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      show(response, 402, checkoutPage({ ...this.#shown(session), wrong: error.message }))
    }
  }

  #shown(session: Session) {
    const { stored } = this.#state
    const price = stored.prices[session.price]
    const code = stored.promotionCodes[session.promotion_code ?? '']
    const total = discounted(session.amount_subtotal, code && stored.coupons[code.promotion.coupon])
    return {
      session,
      total,
      product: stored.products[price?.product ?? '']?.name ?? '',
      interval: price?.recurring.interval ?? 'month',
      code: code?.code,
      email: stored.customers[session.customer]?.email ?? '',
    }
  }

  #portal(id: string, form: URLSearchParams | undefined, response: ServerResponse): void {
    const portal = this.#state.stored.portals[id]
    const customer = portal && this.#state.stored.customers[portal.customer]
    if (!portal || !customer) return show(response, 404, plainPage('This link has ended', 'Open it again in Postlark.'))
    const subscription = Object.values(this.#state.stored.subscriptions).find(
      (one) => one.customer === customer.id && one.status !== 'canceled',
    )
    if (form) {
      const card = form.get('card') ?? ''
      const ending = form.get('ending')
      if (cards.has(card)) this.#billing.setCard(customer, card as Customer['card'])
      if (ending && subscription) this.#billing.setEnding(subscription, ending === 'yes')
      return lead(response, `/p/session/${id}`)
    }
    const invoices = Object.values(this.#state.stored.invoices).filter((one) => one.customer === customer.id)
    show(response, 200, portalPage({ portal, customer, subscription, invoices }))
  }
}

function lead(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).end()
}

function show(response: ServerResponse, status: number, { html, policy }: HtmlPage): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(html)
}
