import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Everything after these is a secret of one recipient. */
const TOKEN_PATH = /^(\/(?:t\/[^/]+|u|v)\/).+/
const QUIET = /^\/(assets\/|healthz|readyz|metrics|favicon)/

/** The path as it may stand in a log: no query, no tokens. */
export function loggablePath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  return path.replace(TOKEN_PATH, '$1…')
}

/** What a finished request was: `status` 0 where the caller left before the answer was sent. */
export interface FinishedRequest {
  method: string
  path: string
  status: number
  milliseconds: number
}

/**
 * Tells every request once, when its answer is out or its caller gone. It listens to the raw answer, because pages and
 * event streams are not sent by Fastify.
 */
export function watchRequests(
  app: FastifyInstance,
  tell: (finished: FinishedRequest, request: FastifyRequest) => void,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const started = performance.now()
    const raw = reply.raw
    raw.once('close', () => {
      const finished = {
        method: request.method,
        path: loggablePath(request.url),
        status: raw.headersSent ? raw.statusCode : 0,
        milliseconds: Math.round((performance.now() - started) * 10) / 10,
      }
      tell(finished, request)
    })
  })
}

/** One line a request: method, path, status, milliseconds. Files and health checks only at level debug. */
export function logRequests(app: FastifyInstance): void {
  watchRequests(app, (finished, request) => {
    request.log[QUIET.test(finished.path) ? 'debug' : 'info'](finished, 'request')
  })
}
