import type { Socket } from 'node:net'
import { Refusal } from './refusal.ts'

/** What Node's reader of HTTP calls a request it gave up, before there is one that a route could refuse. */
const REFUSALS: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(408, 'timeout', 'The request did not arrive in time. Nothing was changed.'),
  HPE_HEADER_OVERFLOW: new Refusal(
    431,
    'too_large',
    'The address and the headers are larger than 16 KB. Nothing was changed.',
  ),
}
const NOT_HTTP = new Refusal(400, 'invalid', 'This is not an HTTP request that can be read. Nothing was changed.')
const PHRASES: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** Responds to what is no whole HTTP request as to any other refusal, and closes the connection. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, code, message } = REFUSALS[error.code ?? ''] ?? NOT_HTTP
  const body = JSON.stringify({ error: message, message, code })
  const head = [
    `HTTP/1.1 ${status} ${PHRASES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
