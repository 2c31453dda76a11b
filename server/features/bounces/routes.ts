import type { FastifyInstance } from 'fastify'
import { bounceSources, inbound } from '#contracts/bounces/bounces.ts'
import { TooEarly } from '#server/features/campaigns/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import * as rules from './bounces.ts'
import { changeSource } from './changes.ts'
import { receiveEvents } from './receive.ts'

const RETRY_SECONDS = 30

export function mountBounces(app: FastifyInstance, services: Services): void {
  mount(app, bounceSources.list, ({ caller, query }) => rules.listSources(services, caller.workspaceId, query))
  mount(app, bounceSources.create, ({ caller, body }) => rules.addSource(services, caller.workspaceId, body))
  mount(app, bounceSources.get, ({ caller, params }) => rules.showSource(services, caller.workspaceId, params.id))
  mount(app, bounceSources.update, ({ caller, params, body }) =>
    changeSource(services, caller.workspaceId, params.id, body),
  )
  mount(app, bounceSources.test, ({ caller, params }) => rules.testSource(services, caller.workspaceId, params.id))
  mount(app, bounceSources.remove, async ({ caller, params }) => {
    await rules.removeSource(services, caller.workspaceId, params.id)
    return {}
  })
  mountInbound(app, services)
}

/** Mounts what services call. Bodies stay bytes here: the signature is over them and not over what they mean. */
function mountInbound(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    mount(scope, inbound.receive, async ({ request, reply, params }) => {
      const raw = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
      const given = { headers: request.headers, raw }
      const isSigned = await receiveEvents(services, params.kind, params.sourceId, given).catch((error) => {
        if (!(error instanceof TooEarly)) throw error
        throw new Refusal(503, 'too_early', 'A message of these events is still being sent. Send them again.', {
          retryAfter: RETRY_SECONDS,
        })
      })
      if (!isSigned) throw new Refusal(401, 'bad_signature', 'The signature is not that of this bounce source.')
      return reply.type('application/json').send('{}')
    })
  })
}
