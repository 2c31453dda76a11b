import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StripeSettings } from '#server/adapters/stripe/client.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { startStripeServer } from './server.ts'

/** Where the stand-in of a data folder listens, for the next start and for other processes. */
interface Place {
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

/** Starts the stand-in for Stripe, or finds the one that another process on this data folder runs. */
export async function startStripe({ dataDir }: Pick<Config, 'dataDir'>, log: Log): Promise<StripeSandbox> {
  const folder = join(dataDir, 'sandbox')
  const file = join(folder, 'stripe.json')
  mkdirSync(folder, { recursive: true })
  const known = placeIn(file)
  const keys = {
    secretKey: known?.secretKey ?? `sk_test_${randomBytes(24).toString('hex')}`,
    webhookSecret: known?.webhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`,
  }
  const kept = join(folder, 'stripe-state.json')
  try {
    const { port, stop } = await startStripeServer(keys, known?.port ?? 0, kept).catch(async (error) => {
      if (!known || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (await answersAt(known)) return { port: known.port, stop: async () => undefined }
      return startStripeServer(keys, 0, kept)
    })
    writeFileSync(file, JSON.stringify({ port, ...keys } satisfies Place), { mode: 0o600 })
    log.info({ port }, 'sandbox: an API on this machine stands in for Stripe')
    return sandboxAt({ port, ...keys }, stop)
  } catch (error) {
    log.error({ err: error }, 'the stand-in for Stripe could not start')
    throw error
  }
}

function sandboxAt(place: Place, stop: () => Promise<void>): StripeSandbox {
  const apiUrl = `http://127.0.0.1:${place.port}`
  return {
    settings: { apiUrl, secretKey: place.secretKey, webhookSecret: place.webhookSecret },
    async deliverTo(address) {
      await call(place, 'endpoint', { url: address })
    },
    stop,
  }
}

/** `seconds` until it is given up: the process that has the stand-in may be starting itself. */
function call({ port, secretKey }: Place, name: string, body?: object, seconds = 20): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/__control/${name}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secretKey}` },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(seconds * 1_000),
  })
}

function placeIn(file: string): Place | undefined {
  try {
    const { port, secretKey, webhookSecret } = JSON.parse(readFileSync(file, 'utf8'))
    const isPort = Number.isInteger(port) && port > 0 && port < 65_536
    return isPort && typeof secretKey === 'string' && typeof webhookSecret === 'string'
      ? { port, secretKey, webhookSecret }
      : undefined
  } catch {
    return undefined
  }
}

const answersAt = (place: Place) =>
  call(place, 'proof', undefined, 2).then(
    (answer) => answer.ok,
    () => false,
  )
