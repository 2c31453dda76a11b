import type { FastifyRequest } from 'fastify'
import type { Visitor } from './confirmations-store.ts'

const MAX_USER_AGENT = 300

/** Who sent a request, as it is stored with what they agreed to. */
export function readVisitor(request: FastifyRequest): Visitor {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the database cannot hold
  const userAgent = (request.headers['user-agent'] ?? '').replace(/[\u0000-\u001f\u007f]/g, ' ')
  return { ip: request.ip, userAgent: userAgent.slice(0, MAX_USER_AGENT).toWellFormed() }
}
