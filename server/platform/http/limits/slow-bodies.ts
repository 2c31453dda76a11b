import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { writeRefusal } from '../broken-requests.ts'
import { Refusal } from '../refusal.ts'

/** For a body that is no form: it has a few megabytes at most, so who needs longer only holds a connection. */
const TOTAL_MS = 120_000
/** For a form, which may hold gigabytes: so long nothing of it may come. */
const IDLE_MS = 120_000

const TOO_SLOW = new Refusal(408, 'timeout', 'The request body did not arrive in time.')

/** Whether a body is still to come, by what the headers say of it. */
function expectsBody({ headers, raw }: FastifyRequest): boolean {
  if (raw.complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Calls `end` when the body took too long. Returns how to stop watching. */
function watch(request: FastifyRequest, limits: { totalMs: number; idleMs: number }, end: () => void): () => void {
  const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '')
  if (!isForm) {
    const timer = setTimeout(end, limits.totalMs).unref()
    return () => clearTimeout(timer)
  }
  const { socket } = request.raw
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    const { bytesRead } = socket
    if (bytesRead === seen) end()
    seen = bytesRead
  }, limits.idleMs).unref()
  return () => clearInterval(timer)
}

/** Ends requests whose body comes too slowly (408, RFC 9110 section 15.5.9): Node's own limit would cut large uploads too. */
export function limitSlowBodies(app: FastifyInstance, limits = { totalMs: TOTAL_MS, idleMs: IDLE_MS }): void {
  app.addHook('onRequest', (request, reply, done) => {
    done()
    if (!expectsBody(request)) return
    const { raw } = request
    // A request from inside the process has no connection: its body is there already.
    if (!(raw.socket instanceof Socket)) return
    const stop = watch(request, limits, () => {
      stop()
      if (raw.complete) return
      if (!reply.raw.headersSent) writeRefusal(raw.socket, TOO_SLOW)
      raw.socket.destroySoon()
    })
    raw.once('close', stop)
  })
}
