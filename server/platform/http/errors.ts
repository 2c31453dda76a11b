import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDiskFull, isOutage } from '../db/outage.ts'
import { isUndone } from '../db/undone.ts'
import { ThreadError } from '../threads/bounded.ts'
import { Refusal } from './refusal.ts'

/** What of a refusal goes over the wire (docs/api-contract.md: error and message hold the same text). */
function send(reply: FastifyReply, refusal: Refusal) {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter))
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send({
      error: refusal.message,
      message: refusal.message,
      code: refusal.code,
      ...(refusal.details && { details: refusal.details }),
    })
}

/** SQLSTATEs that a request can cause although its shape was right. */
const databaseRefusals: Record<string, () => Refusal> = {
  '22021': () => new Refusal(400, 'invalid', 'The text contains a character that cannot be stored.'),
  '22P05': () => new Refusal(400, 'invalid', 'The text contains a character that cannot be stored.'),
  '22003': () => new Refusal(400, 'invalid', 'A number is out of range.'),
  '22007': () => new Refusal(400, 'invalid', 'A date or time is not valid.'),
  '22008': () => new Refusal(400, 'invalid', 'A date or time is out of range.'),
  '23503': () =>
    new Refusal(409, 'conflict', 'Something this refers to was just removed. Reload the page, then try again.'),
  '23505': () => new Refusal(409, 'conflict', 'This already exists.'),
}

const RETRY_AFTER_SECONDS = 5
const unavailable = () =>
  new Refusal(503, 'unavailable', 'The database is temporarily unavailable. Try again in a few seconds.', {
    retryAfter: RETRY_AFTER_SECONDS,
  })
const diskFull = () =>
  new Refusal(503, 'disk_full', 'The server has run out of disk space. Nothing was changed. Contact the operator.', {
    retryAfter: RETRY_AFTER_SECONDS,
  })

const busy = () =>
  new Refusal(503, 'unavailable', 'The server is too busy or restarts. Try again in a few seconds.', {
    retryAfter: RETRY_AFTER_SECONDS,
  })

/** A thread for the work did not start, or the process stops. */
const isUnstarted = (error: unknown) =>
  error instanceof ThreadError && (error.reason === 'start' || error.reason === 'stop')

/** A database that is away, a disk that is full, a busy machine: no fault of the request, and over by themselves. */
function asOutage(error: FastifyError): Refusal | undefined {
  if (isDiskFull(error)) return diskFull()
  if (isUndone(error) || isUnstarted(error)) return busy()
  return isOutage(error) ? unavailable() : undefined
}

/** How the parser of forms says that what arrived is no whole form: plain errors, known by their text alone. */
const BROKEN_FORM =
  /^Multipart: Boundary not found|^Unexpected end of multipart data|terminated early due to unexpected end|^The needle cannot/

/** What came in place of a form, or of the rest of one: not our failure. */
function asBrokenForm(error: FastifyError): Refusal | undefined {
  const isBroken =
    BROKEN_FORM.test(error.message) ||
    error.code === 'FST_INVALID_JSON_FIELD_ERROR' ||
    error.code === 'FST_MP_PREMATURE_CLOSE'
  return isBroken
    ? new Refusal(
        400,
        'invalid',
        'The form is incomplete or has no valid boundary. Nothing was changed. Send it again.',
      )
    : undefined
}

/** The client closed the connection while it was still sending: nobody reads a response, and nothing of ours failed. */
function isClientGone(error: FastifyError, { raw }: FastifyRequest): boolean {
  const isCut =
    error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.message === 'aborted'
  return isCut && raw.destroyed && !raw.complete
}

/** What a request is refused with; undefined: the failure is ours. */
export function asRefusal(error: FastifyError): Refusal | undefined {
  if (error instanceof Refusal) return error
  const brokenForm = asBrokenForm(error)
  if (brokenForm) return brokenForm
  const fromDatabase = error.code ? databaseRefusals[error.code]?.() : undefined
  if (fromDatabase) return fromDatabase
  const status = error.statusCode ?? 500
  if (status === 413)
    return new Refusal(
      413,
      'too_large',
      'The request is too large: 4 MB at most, 1 MB for a template. Nothing was changed.',
    )
  if (status === 415)
    return new Refusal(415, 'unsupported_media_type', 'Send JSON, or a form with a file where a file is asked for.')
  if (status === 429)
    return new Refusal(429, 'too_many_requests', 'Too many requests. Wait a few minutes, then try again.')
  if (status >= 400 && status < 500)
    return new Refusal(
      status,
      'invalid',
      error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' ? 'The body is not valid JSON.' : error.message,
    )
  return undefined
}

/** One shape for every error: refusals with their text, anything else a plain 500 that is logged and told nothing. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply) => {
    const refusal = asRefusal(error)
    if (refusal) return send(reply, refusal)
    if (isClientGone(error, request)) {
      request.log.debug({ err: error }, 'the client closed the connection')
      return send(reply, new Refusal(400, 'invalid', 'The request was incomplete.'))
    }
    request.log.error({ err: error }, 'request failed')
    const outage = asOutage(error)
    if (outage) return send(reply, outage)
    return send(
      reply,
      new Refusal(
        500,
        'internal',
        'Something went wrong on our side. Try again. If it happens again, contact support.',
      ),
    )
  })
}
