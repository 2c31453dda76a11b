import Stripe from 'stripe'

/** Where payments go: Stripe, or the sandbox's emulator. */
export interface StripeSettings {
  apiUrl: string
  secretKey: string
  webhookSecret: string
}

export type StripeApi = InstanceType<typeof Stripe>

/** Payments: Stripe's own library, and how its webhooks are told from forged ones. */
export interface Payments {
  api: StripeApi
  /** The event a delivery holds, or nothing when its signature is wrong or older than five minutes. */
  verifyEvent(body: Buffer, signature: string): { id: string; type: string; data: { object: unknown } } | undefined
}

/** The version whose shapes we read; the webhook endpoint at Stripe is to have the same. */
const API_VERSION = '2026-10-28.endive'
/** Somebody waits in front of a button meanwhile. */
const CALL_MS = 12_000

/** Stripe at `apiUrl`. Calls are tried twice more; every call that changes something is given a key of its own, so that a repeated one does nothing. */
export function stripePayments({ apiUrl, secretKey, webhookSecret }: StripeSettings): Payments {
  const { protocol, hostname, port } = new URL(apiUrl)
  const api = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: CALL_MS,
    maxNetworkRetries: 2,
    telemetry: false,
  })
  return {
    api,
    verifyEvent(body, signature) {
      try {
        return api.webhooks.constructEvent(body, signature, webhookSecret)
      } catch {
        return undefined
      }
    },
  }
}
