import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { createTokens } from '#server/engine/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { failed, sendPage } from '#server/platform/http/pages/small-pages.ts'
import { type PlainResponse, send } from '#server/platform/http/responses.ts'
import type { Services } from '#server/services.ts'
import { respondDirectly } from './direct.ts'
import { respondToClick, respondToOpen, type Tracking, type Visit } from './engagement.ts'
import { mountPreferences } from './preferences/routes.ts'
import { mountUnsubscribe } from './unsubscribe.ts'
import { mountView } from './view.ts'
import { createWriter } from './writer.ts'

const FORM_LIMIT = 64 * 1024
const HSTS = 'max-age=31536000; includeSubDomains'

/**
 * What mail leads back to (pixel, links, unsubscribe, web view). Returns how to wait until what came in is classified, for
 * the figures that other features show.
 */
export function mountTracking(app: FastifyInstance, services: Services): () => Promise<unknown> {
  const { config, db, log } = services
  const writer = createWriter(db, services.pool, log)
  app.addHook('onClose', () => writer.close())
  const key = deriveKey(config.secretKey, 'message tokens')
  const tracking: Tracking = { db, log, tokens: createTokens(key), key, writer }
  // Readers and mail programs come here, not programs of ours: pages instead of JSON, and any body is taken as it is.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      if (error.statusCode !== undefined && error.statusCode < 500)
        return sendPage(
          reply,
          error.statusCode,
          'That did not work',
          '<p>The request could not be read. Nothing was changed.</p>',
        )
      request.log.error({ err: error }, 'a link in a mail could not be served')
      return send(reply, failed)
    })
    mountResponse(scope, '/t/o/:token', (visit) => respondToOpen(tracking, visit))
    mountResponse(scope, '/t/c/:token', (visit) => respondToClick(tracking, visit))
    mountUnsubscribe(scope, tracking)
    mountView(scope, tracking)
  })
  mountPreferences(app, services, tracking)
  // Behind a proxy the client's address is Fastify's business.
  if (config.trustProxy === undefined)
    respondDirectly(app, tracking, {
      'x-content-type-options': 'nosniff',
      ...(config.publicUrl.startsWith('https:') && { 'strict-transport-security': HSTS }),
    })
  return () => writer.judged()
}

function mountResponse(scope: FastifyInstance, url: string, respond: (visit: Visit) => Promise<PlainResponse>): void {
  const handler = async (request: FastifyRequest<{ Params: { token: string } }>) =>
    respond({ token: request.params.token, method: request.method, headers: request.headers, ip: request.ip })
  scope.route({
    url,
    method: ['GET', 'HEAD'],
    exposeHeadRoute: false,
    handler: async (request, reply) => send(reply, await handler(request as never)),
  })
}
