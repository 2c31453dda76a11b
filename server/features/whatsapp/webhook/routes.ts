import type { FastifyInstance } from 'fastify'
import { whatsapp } from '#contracts/whatsapp/webhook.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { isVerifyToken } from '../numbers/keys.ts'
import { receiveWebhook } from './receive.ts'

/** Meta sends at most 3 MB at once; whose it is can only be read from the body, before its signature is known. */
const MAX_WEBHOOK_BYTES = 3 * 1024 * 1024

/** Mounts what Meta calls. Bodies stay bytes here: the signature is over them and not over what they mean. */
export function mountWebhook(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_WEBHOOK_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    mount(scope, whatsapp.verify, ({ query, reply }) => {
      const isRight =
        query['hub.mode'] === 'subscribe' && isVerifyToken(services.config, query['hub.verify_token'] ?? '')
      if (!isRight) throw new Refusal(403, 'forbidden', 'The verify token is not one of this installation.')
      return reply.type('text/plain; charset=utf-8').send(query['hub.challenge'] ?? '')
    })
    mount(scope, whatsapp.webhook, async ({ request, reply }) => {
      const raw = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
      if (!(await receiveWebhook(services, raw, request.headers['x-hub-signature-256'])))
        throw new Refusal(401, 'bad_signature', 'The signature is not that of a number connected here.')
      return reply.type('application/json').send('{}')
    })
  })
}
