import type { Billing } from './billing.ts'
import type { Events } from './events.ts'
import { wrong } from './refusal.ts'
import type { Reversals } from './reversals.ts'
import type { Customer, DisputeStatus, RefundStatus, State } from './state.ts'

/** How the next calls fail: `match` is a part of "METHOD /path". */
export interface Fault {
  match: string
  times: number
  status?: number
  delayMs?: number
  /** The connection ends without an answer. */
  drop?: boolean
}

/** A line of the journal: what was asked, for tests. */
export interface ApiCall {
  method: string
  path: string
  status: number
}

interface Parts {
  state: State
  billing: Billing
  reversals: Reversals
  events: Events
  faults: Fault[]
  journal: ApiCall[]
}

/** What tests and the product's start tell the emulator: its clock, faults, the webhook endpoint, how events travel, a customer's card, refunds and disputes. */
export function control(parts: Parts, method: string, name: string, body: string): object {
  const { state, billing, events, faults, journal } = parts
  const given = body === '' ? {} : JSON.parse(body)
  switch (`${method} ${name}`) {
    case 'GET journal':
      return { items: journal }
    case 'POST endpoint':
      events.endpoint = String(given.url)
      return {}
    case 'POST clock':
      state.stored.ahead += Number(given.seconds)
      billing.tick()
      return { now: state.now() }
    case 'POST faults':
      faults.splice(0, faults.length, ...((given.items as Fault[] | undefined) ?? []))
      return {}
    case 'POST events':
      events.times = Number(given.times ?? 1)
      if (given.hold) events.hold()
      else events.release(given.release ?? 'forwards')
      return {}
    case 'POST card': {
      const customer = state.stored.customers[String(given.customer)]
      if (!customer) throw wrong('no such customer')
      billing.setCard(customer, given.card as Customer['card'])
      return {}
    }
    case 'POST refund':
      return refund(parts, given)
    case 'POST dispute':
      return dispute(parts, given)
    default:
      throw wrong(`unknown: ${method} ${name}`)
  }
}

interface RefundWish {
  /** An invoice to refund, `amount` cents of it or all that is left; or a refund whose status changes. */
  invoice?: string
  refund?: string
  amount?: number
  status?: RefundStatus
}

function refund({ state, reversals }: Parts, { invoice, refund: id, amount, status }: RefundWish): object {
  if (invoice) return reversals.refund(reversals.chargeOfInvoice(invoice), amount, status)
  const known = state.stored.refunds[id ?? '']
  if (!known || !status) throw wrong('an invoice, or a refund with its next status')
  reversals.settleRefund(known, status)
  return known
}

interface DisputeWish {
  /** An invoice whose payment is disputed; or a dispute whose status changes. */
  invoice?: string
  dispute?: string
  amount?: number
  reason?: string
  status?: DisputeStatus
}

function dispute({ state, reversals }: Parts, { invoice, dispute: id, amount, reason, status }: DisputeWish): object {
  if (invoice) return reversals.dispute(reversals.chargeOfInvoice(invoice), status, reason, amount)
  const known = state.stored.disputes[id ?? '']
  if (!known || !status) throw wrong('an invoice, or a dispute with its next status')
  reversals.settleDispute(known, status)
  return known
}
