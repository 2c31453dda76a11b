import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from './app.ts'

/** The emulator for Stripe of a running product, as tests drive it: its clock, cards, faults and deliveries. */
export function stripeSandbox({ dataDir }: Pick<TestApp, 'dataDir'>) {
  const { port, secretKey, webhookSecret } = JSON.parse(readFileSync(join(dataDir, 'sandbox', 'stripe.json'), 'utf8'))
  const url = `http://127.0.0.1:${port}`
  const authorization = `Bearer ${secretKey}`
  const control = async (name: string, body?: object) => {
    const response = await fetch(`${url}/__control/${name}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`)
    return response.json()
  }
  return {
    webhookSecret: webhookSecret as string,
    /** Puts the clock forward; what is due happens. */
    forward: (days: number) => control('clock', { seconds: days * 86_400 }),
    faults: (...items: { match: string; times: number; status?: number; delayMs?: number; drop?: boolean }[]) =>
      control('faults', { items }),
    deliveries: (given: { hold?: boolean; release?: 'forwards' | 'backwards' | 'lost'; times?: number }) =>
      control('events', given),
    setCard: (customer: string, card: string) => control('card', { customer, card }),
    /** Refunds an invoice, `amount` cents of it or all that is left, or changes the status of a refund. */
    refund: (given: { invoice: string; amount?: number; status?: string } | { refund: string; status: string }) =>
      control('refund', given),
    /** Has the payer's bank dispute the payment of an invoice, or changes the status of a dispute. */
    dispute: (given: { invoice: string; reason?: string; status?: string } | { dispute: string; status: string }) =>
      control('dispute', given),
    /** What was asked of it, such as "POST /v1/refunds". */
    async asked(): Promise<string[]> {
      const { items } = await control('journal')
      return items.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)
    },
    /** A list of the API as it is, such as `subscriptions?status=all`. */
    async list(path: string) {
      const response = await fetch(`${url}/v1/${path}`, { headers: { authorization } })
      return (await response.json()).data
    },
    /** Chooses a card on the checkout page; returns the status and where it leads. */
    async pay(page: string, card = 'works') {
      const response = await fetch(page, { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' })
      const location = response.headers.get('location') ?? ''
      return {
        status: response.status,
        location,
        session: location ? (new URL(location).searchParams.get('session_id') ?? '') : '',
        text: await response.text(),
      }
    },
  }
}
