import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { sendLost } from './pages/small-pages.ts'

/** Where a server proves that requests for a host arrive at it. */
export const HOST_CHECK_PATH = '/.well-known/postlark-host'

/** Where a TLS proxy asks whether it may get a certificate for a name; it asks at an address of its own, never at a tracking host. */
export const CERTIFICATE_CHECK_PATH = '/.well-known/postlark-certificate'

/** The routes that emails lead to, and the proof: all that is served at tracking hosts. */
const SERVED = new Set(['/t/o/:token', '/t/c/:token', '/u/:token', '/v/:token', '/p/:token', HOST_CHECK_PATH])

/** Whether a host is TRACKING_HOST or a name of a customer's domain for it; the host of PUBLIC_URL never is. */
export function isTrackingHost(
  { trackingHost, publicUrl }: Pick<Config, 'trackingHost' | 'publicUrl'>,
  host: string,
): boolean {
  if (trackingHost === undefined) return false
  const name = host.toLowerCase().replace(/\.$/, '')
  return name !== new URL(publicUrl).hostname && (name === trackingHost || name.startsWith('links.'))
}

/** Serves nothing of the product at tracking hosts but the links of emails: no page, no API, no cookie. */
export function limitTrackingHosts(app: FastifyInstance, config: Config): void {
  if (config.trackingHost === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    // The route decides, never the path as it was written.
    if (isTrackingHost(config, request.hostname) && !SERVED.has(request.routeOptions.url ?? '')) return sendLost(reply)
  })
}
