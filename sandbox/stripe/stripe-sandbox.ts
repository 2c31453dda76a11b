import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { StripeSettings } from '#server/adapters/stripe/client.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { findOrStart, toldBy } from '../one-per-folder.ts'
import { startStripeServer } from './server.ts'

/** Where the emulator of a data folder listens, for the next start and for other processes. */
interface StripePlace {
  port: number
  secretKey: string
  webhookSecret: string
}

export interface StripeSandbox {
  settings: StripeSettings
  /** Says where events are to be delivered: the product knows its address only once it listens. */
  deliverTo(address: string): Promise<void>
  stop(): Promise<void>
}

/** Starts the emulator for Stripe, or finds the one that another process on this data folder runs. */
export async function startStripe({ dataDir }: Pick<Config, 'dataDir'>, log: Log): Promise<StripeSandbox> {
  const folder = join(dataDir, 'sandbox')
  const { place, running } = await findOrStart({
    file: join(folder, 'stripe.json'),
    read: ({ secretKey, webhookSecret }, port): StripePlace | undefined =>
      typeof secretKey === 'string' && typeof webhookSecret === 'string'
        ? { port, secretKey, webhookSecret }
        : undefined,
    fresh: (port) => ({
      port,
      secretKey: `sk_test_${randomBytes(24).toString('hex')}`,
      webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
    }),
    responds: async ({ port, secretKey }) => (await toldBy(port, secretKey)) !== undefined,
    async start(wanted) {
      const running = await startStripeServer(wanted, wanted.port, join(folder, 'stripe-state.json'))
      return { place: { ...wanted, port: running.port }, running }
    },
  })
  if (running) log.info({ port: place.port }, 'sandbox: an API on this machine stands in for Stripe')
  else log.info({ port: place.port }, 'payments go to the sandbox of another process on this data folder')
  return sandboxAt(place, running?.stop ?? (async () => undefined))
}

function sandboxAt(place: StripePlace, stop: () => Promise<void>): StripeSandbox {
  const apiUrl = `http://127.0.0.1:${place.port}`
  return {
    settings: { apiUrl, secretKey: place.secretKey, webhookSecret: place.webhookSecret },
    async deliverTo(address) {
      await fetch(`${apiUrl}/__control/endpoint`, {
        method: 'POST',
        headers: { authorization: `Bearer ${place.secretKey}` },
        body: JSON.stringify({ url: address }),
        // The process that has the emulator may be starting itself.
        signal: AbortSignal.timeout(20_000),
      })
    },
    stop,
  }
}
