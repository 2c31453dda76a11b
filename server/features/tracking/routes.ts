import type { FastifyError, FastifyInstance } from 'fastify'
import { campaigns } from '#contracts/campaigns.ts'
import { createTokens } from '#server/engine/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { mountClicks, mountPixel, type Tracking } from './engagement.ts'
import { sendPage } from './pages.ts'
import { campaignStats, messageEvents } from './stats.ts'
import { mountUnsubscribe } from './unsubscribe.ts'
import { mountView } from './view.ts'
import { createWriter } from './writer.ts'

const FORM_LIMIT = 64 * 1024

/** What mail leads back to (pixel, links, unsubscribe, web view), and the figures made of it. */
export function mountTracking(app: FastifyInstance, services: Services): void {
  const { config, db, log } = services
  mount(app, campaigns.stats, ({ caller, params }) => campaignStats(db, caller.workspaceId, params.id))
  mount(app, campaigns.messageEvents, async ({ caller, params }) => ({
    items: await messageEvents(db, caller.workspaceId, params.id, params.messageId),
    nextCursor: null,
  }))

  const writer = createWriter(db, log)
  app.addHook('onClose', () => writer.close())
  const tracking: Tracking = { db, log, tokens: createTokens(deriveKey(config.secretKey, 'message tokens')), writer }
  // Readers and mail programs come here, not programs of ours: pages instead of JSON, and any body is taken as it is.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_LIMIT }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 503
      if (status === 503) request.log.error({ err: error }, 'a link in a mail could not be served')
      return sendPage(reply, status, 'That did not work', '<p>Nothing was changed. Please try again in a few minutes.</p>')
    })
    mountPixel(scope, tracking)
    mountClicks(scope, tracking)
    mountUnsubscribe(scope, tracking)
    mountView(scope, tracking)
  })
}
