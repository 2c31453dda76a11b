import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { tooMany } from './refusal.ts'

/** The policy of every page: scripts only from here, or those of `sources`: this request's nonce, or hashes. */
export function pagePolicy(sources: string[]): string {
  return [
    "default-src 'self'",
    `script-src ${["'self'", ...sources].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https: http:",
    // A voice message is fetched with the token and played from memory.
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self' blob: data:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Headers for everything, and a ceiling on sign-in traffic from one address. */
export async function secure(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: config.publicUrl.startsWith('https:')
      ? { maxAge: 31_536_000, includeSubDomains: true }
      : false,
  })
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, context) =>
      tooMany('Too many requests. Wait a few minutes, then try again.', context.ttl / 1000),
  })
  const signIn = app.rateLimit({ max: 600, timeWindow: '15 minutes', groupId: 'sign-in' })
  // These send mail to whom the caller names: far fewer are ever needed from one address.
  const mailing = app.rateLimit({ max: 100, timeWindow: '15 minutes', groupId: 'mailing' })
  // Rendering without an account: enough for an afternoon of editing, too little to keep the threads busy.
  const demo = app.rateLimit({ max: 1_200, timeWindow: '15 minutes', groupId: 'demo' })
  app.addHook('onRequest', async (request, reply) => {
    if (/^POST \/api\/starter-templates\//.test(`${request.method} ${request.routeOptions.url ?? ''}`))
      await demo.call(app, request, reply)
  })
  app.addHook('onRequest', async (request, reply) => {
    // The route decides, never the address as it was written: the router decodes it (`/api/%61uth/…`).
    const route = request.routeOptions.url ?? ''
    // GET asks the issuer of a sign-in, so it is bounded as well.
    if (!/^(POST \/api\/auth\/|GET \/api\/auth\/google)/.test(`${request.method} ${route}`)) return
    const isMailing = /^\/api\/auth\/(signup|forgot-password|resend-verification)$/.test(route)
    await (isMailing ? mailing : signIn).call(app, request, reply)
  })
}
