import type { Billing } from './billing.ts'
import type { Events } from './events.ts'
import { wrong } from './refusal.ts'
import type { Asked } from './server.ts'
import type { Customer, State } from './state.ts'

/** How the next calls fail: `match` is a part of "METHOD /path". */
export interface Fault {
  match: string
  times: number
  status?: number
  delayMs?: number
  /** The connection ends without an answer. */
  drop?: boolean
}

interface Parts {
  state: State
  billing: Billing
  events: Events
  faults: Fault[]
  journal: Asked[]
}

/** What tests and the product's start tell the stand-in: its clock, faults, the webhook endpoint, how events travel, a customer's card. */
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
      state.kept.ahead += Number(given.seconds)
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
      const customer = state.kept.customers[String(given.customer)]
      if (!customer) throw wrong('no such customer')
      billing.setCard(customer, given.card as Customer['card'])
      return {}
    }
    default:
      throw wrong(`unknown: ${method} ${name}`)
  }
}
