import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { failed } from '#server/platform/http/pages/small-pages.ts'
import { type PlainResponse, write } from '#server/platform/http/responses.ts'
import { respondToClick, respondToOpen, type Tracking, type Visit } from './engagement.ts'

const handlers: [string, (tracking: Tracking, visit: Visit) => Promise<PlainResponse>][] = [
  ['/t/o/', respondToOpen],
  ['/t/c/', respondToClick],
]

/**
 * Serves GET of pixels and links before Fastify sees them. A large campaign brings them by the hundred thousand within
 * minutes, and they need none of its hooks, guards and parsers; its routes for the same addresses stay for everything else
 * (HEAD, a proxy in front, inject). `headers`: what Fastify's hooks would have added.
 */
export function respondDirectly(app: FastifyInstance, tracking: Tracking, headers: Record<string, string>): void {
  const { server } = app
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? ''
    const found = request.method === 'GET' ? handlers.find(([prefix]) => url.startsWith(prefix)) : undefined
    if (!found) {
      for (const listener of listeners) listener.call(server, request, response)
      return
    }
    const [prefix, answer] = found
    const end = url.indexOf('?')
    const visit = {
      token: url.slice(prefix.length, end < 0 ? undefined : end),
      method: 'GET',
      headers: request.headers,
      ip: request.socket.remoteAddress ?? '',
    }
    answer(tracking, visit).then(
      (given) => write(response, given, headers),
      (error) => {
        tracking.log.error({ err: error }, 'a link in a mail could not be served')
        write(response, failed, headers)
      },
    )
  })
}
