import { createHmac, randomInt } from 'node:crypto'
import { GraphError, statusError } from './graph-error.ts'
import type { Business, ChatMessage, GraphNumber } from './state.ts'

/** One change as Meta puts it into `entry[].changes[]`. */
export interface WebhookChange {
  field: string
  value: Record<string, unknown>
}

const BATCH_MS = 15
const BATCH = 500
/** Meta tries for seven days; the emulator for about two minutes. */
const RETRY_MS = [200, 1_000, 5_000, 15_000, 30_000, 60_000]

export const buildMetadata = (number: GraphNumber) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: number.digits, phone_number_id: number.id },
})

/** Whether Meta knows a person by a scoped id and not by a number. */
export const isScoped = (person: string) => /^[A-Z]{2}\./.test(person)

/** Who somebody is, as contacts of a webhook have it. */
export const toIdentity = (person: string) => (isScoped(person) ? { user_id: person } : { wa_id: person })

/** A status of a message we sent. */
export function statusChange(
  number: GraphNumber,
  person: string,
  message: ChatMessage,
  status: 'sent' | 'delivered' | 'read' | 'failed',
  at = Date.now(),
): WebhookChange {
  const pricing =
    status === 'sent' || status === 'delivered'
      ? {
          pricing: {
            billable: message.category !== 'service',
            pricing_model: 'PMP',
            type: 'regular',
            category: message.category ?? 'service',
          },
        }
      : {}
  return {
    field: 'messages',
    value: {
      ...buildMetadata(number),
      statuses: [
        {
          id: message.id,
          status,
          timestamp: String(Math.floor(at / 1_000)),
          ...(isScoped(person) ? { recipient_user_id: person } : { recipient_id: person }),
          ...(message.callback !== undefined && { biz_opaque_callback_data: message.callback }),
          ...pricing,
          ...(status === 'failed' && message.code !== undefined && { errors: [statusError(message.code)] }),
        },
      ],
    },
  }
}

/** As Meta writes it: beyond ASCII and slashes escaped, so that a body which was parsed and written anew is another one. */
export function buildWebhookBody(businessId: string, changes: WebhookChange[]): string {
  const text = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: businessId, time: Math.floor(Date.now() / 1_000), changes }],
  })
  return text
    .replaceAll('/', '\\/')
    .replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export const signWebhookBody = (secret: string, body: string | Uint8Array) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Sends changes to the callback of a business: gathered for a moment, signed, and retried until it returns 200. */
export class Webhooks {
  readonly #waiting = new Map<Business, WebhookChange[]>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #stopped = false
  /** Where the callback really listens, when PUBLIC_URL is not this machine's. */
  #origins = new Map<string, string>()

  /** What is called at `publicUrl` listens at `address`. */
  reach(publicUrl: string, address: string): void {
    this.#origins.set(new URL(publicUrl).origin, new URL(address).origin)
  }

  send(business: Business, change: WebhookChange): void {
    const waiting = this.#waiting.get(business)
    if (waiting) {
      waiting.push(change)
      if (waiting.length >= BATCH) this.#flush(business)
      return
    }
    this.#waiting.set(business, [change])
    this.#later(BATCH_MS, () => this.#flush(business))
  }

  /** GET with the challenge, as when a callback is set. Throws GraphError when it is not answered. */
  async verify(url: string, verifyToken: string): Promise<void> {
    const challenge = String(randomInt(1_000_000_000, 2_000_000_000))
    const address = new URL(this.#real(url))
    address.searchParams.set('hub.mode', 'subscribe')
    address.searchParams.set('hub.challenge', challenge)
    address.searchParams.set('hub.verify_token', verifyToken)
    const said = await fetch(address, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => (response.status === 200 ? await response.text() : `status ${response.status}`),
      (error: Error) => error.message,
    )
    if (said !== challenge)
      throw new GraphError(400, 2200, '(#2200) Callback verification failed', {
        error_user_msg: `The callback answered otherwise: ${said.slice(0, 100)}`,
      })
  }

  stop(): void {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #real(url: string): string {
    const { origin } = new URL(url)
    return url.replace(origin, this.#origins.get(origin) ?? origin)
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#stopped) run()
    }, ms)
    this.#timers.add(timer.unref())
  }

  #flush(business: Business): void {
    const changes = this.#waiting.get(business)
    this.#waiting.delete(business)
    if (changes && business.callback)
      this.#post(business, business.callback.url, buildWebhookBody(business.id, changes), 0)
  }

  #post(business: Business, url: string, body: string, tries: number): void {
    void fetch(this.#real(url), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signWebhookBody(business.appSecret, body) },
      signal: AbortSignal.timeout(20_000),
    })
      .then((response) => response.arrayBuffer().then(() => response.status === 200))
      .catch(() => false)
      .then((taken) => {
        const wait = RETRY_MS[tries]
        if (!taken && wait !== undefined && !this.#stopped)
          this.#later(wait, () => this.#post(business, url, body, tries + 1))
      })
  }
}
