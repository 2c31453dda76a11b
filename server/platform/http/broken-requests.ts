import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendLost, sendPage } from './pages/small-pages.ts'
import { isLinkPath, isMachinePath } from './paths.ts'
import { Refusal } from './refusal.ts'

/** What Node's reader of HTTP calls a request it gave up, before there is one that a route could refuse. */
const REFUSALS: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(408, 'timeout', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: new Refusal(431, 'too_large', 'The URL and the headers are larger than 16 KB.'),
}
// Says nothing of what happened: the request before it on the connection, whose length was wrong, may be under way.
const NOT_HTTP = new Refusal(400, 'invalid', 'The request is not valid HTTP.')
const PHRASES: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/**
 * Responds to a path that no router can read, such as one with `%ff`: readers get a page, programs the shape of every
 * refusal. It reaches no route and no hook.
 */
export function refuseBrokenPath(_error: Error, { url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('x-content-type-options', 'nosniff')
  if (isLinkPath(url)) return sendLost(reply)
  if (!isMachinePath(url))
    return sendPage(reply, 404, 'Page Not Found', '<p>The link may be broken. <a href="/">Go to the home page</a></p>')
  const message = 'The path of the URL is not valid.'
  return reply.code(400).type('application/json; charset=utf-8').send({ error: message, message, code: 'invalid' })
}

/** Refuses on a connection that no reply can be made for, in the shape of every refusal. */
export function writeRefusal(socket: Socket, { status, code, message }: Refusal): void {
  const body = JSON.stringify({ error: message, message, code })
  const head = [
    `HTTP/1.1 ${status} ${PHRASES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Responds to what is no whole HTTP request, and closes the connection. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) writeRefusal(socket, REFUSALS[error.code ?? ''] ?? NOT_HTTP)
  socket.destroySoon()
}
