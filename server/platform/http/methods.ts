import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']

/**
 * Responds 405 with Allow (RFC 9110, section 15.5.6) to any other method on a path of the API. Called before the routes
 * are mounted; what it returns is called after the last.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const paths = new Map<string, { url: string; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith('/api/')) return
    // The same path, whatever its parameters are called.
    const key = url.replace(/:\w+/g, ':')
    const known = paths.get(key) ?? { url, methods: new Set<string>() }
    for (const one of [method].flat()) known.methods.add(one)
    paths.set(key, known)
  })
  return () => {
    // A plugin, so that it runs after the plugins whose routes it has to know.
    app.register(async (scope) => {
      const found = [...paths.values()].map(({ url, methods }) => ({ url, allowed: [...methods].toSorted() }))
      for (const { url, allowed } of found) {
        const refuse = async (_request: FastifyRequest, reply: FastifyReply) => {
          reply.header('allow', allowed.join(', '))
          throw new Refusal(405, 'method_not_allowed', `This URL accepts only ${allowed.join(', ')}.`)
        }
        const method = METHODS.filter((one) => !allowed.includes(one))
        // Before the body is read: nobody wants it.
        scope.route({ method, url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
      }
    })
  }
}
