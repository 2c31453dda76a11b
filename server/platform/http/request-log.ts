import type { FastifyInstance, FastifyRequest } from 'fastify'

/** In the routes whose address is a secret of one person, the secret's parameter has this name. */
const SECRET = '/:token'
const QUIET = /^\/(assets\/|healthz|readyz|metrics|favicon)/
/** Nobody encodes an address more often than this by mistake. */
const MAX_DECODINGS = 5

/** The path with every percent-encoding resolved, however often it was encoded, and without a query that was encoded too. */
function plainPath(url: string): string {
  let path = url.split(/[?#]/, 1)[0] ?? ''
  for (let i = 0; i < MAX_DECODINGS && path.includes('%'); i++) {
    try {
      path = decodeURIComponent(path)
    } catch {
      break
    }
  }
  return path.split(/[?#;]/, 1)[0] ?? ''
}

/** How the first part of a path is compared: whatever the case, and however many slashes are before it. */
const firstPart = (path: string) =>
  path
    .replace(/^[/\\]+/, '')
    .split(/[/\\%]/, 1)[0]
    ?.toLowerCase() ?? ''

/**
 * Collects the routes of `app` and returns a request's path as it may stand in a log: no query, no tokens. The route
 * decides what is a token. An address that no route took is cut behind its first part if that leads to tokens elsewhere:
 * a link with a slash too many still carries its token.
 */
export function createPathFilter(app: FastifyInstance): (request: FastifyRequest) => string {
  const secretPlaces = new Set<string>()
  app.addHook('onRoute', ({ url }) => {
    if (url.includes(SECRET)) secretPlaces.add(firstPart(url))
  })
  return (request) => {
    const route = request.routeOptions.url
    if (route?.includes(SECRET)) return `${route.slice(0, route.indexOf(SECRET))}/…`
    const path = plainPath(request.url)
    const first = firstPart(path)
    return secretPlaces.has(first) ? `/${first}/…` : path
  }
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
  const loggablePath = createPathFilter(app)
  app.addHook('onRequest', async (request, reply) => {
    const started = performance.now()
    const raw = reply.raw
    raw.once('close', () => {
      const finished = {
        method: request.method,
        path: loggablePath(request),
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
