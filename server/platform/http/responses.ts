import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** A whole response as plain data, so that it can leave through Fastify or without it. */
export interface PlainResponse {
  status: number
  headers: Record<string, string>
  body: string
  /** How the characters of `body` become bytes. */
  encoding: 'utf8' | 'latin1'
}

/** Sends it as a route's answer. */
export function send(reply: FastifyReply, { status, headers, body, encoding }: PlainResponse): FastifyReply {
  return reply.code(status).headers(headers).send(Buffer.from(body, encoding))
}

/** Sends it straight over the connection. */
export function write(
  response: ServerResponse,
  { status, headers, body, encoding }: PlainResponse,
  more: Record<string, string>,
): void {
  // A text leaves together with the head in one write; a buffer would take two.
  response
    .writeHead(status, { ...headers, ...more, 'content-length': Buffer.byteLength(body, encoding) })
    .end(body, encoding)
}

/** What every answer to a link in a mail says: keep no copy, list it nowhere, tell nobody where it was. */
export const discreet = {
  'cache-control': 'no-store, no-cache, must-revalidate, max-age=0, private',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}
