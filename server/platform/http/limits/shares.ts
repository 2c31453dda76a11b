import type { FastifyReply, FastifyRequest } from 'fastify'
import { Semaphore } from '../../semaphore.ts'
import { tooMany } from '../refusal.ts'

const MB = 2 ** 20
/** Bytes of forms held in memory at once, in this process and by one user. The largest form has a file of 100 MB. */
const forms = new Semaphore({ total: 256 * MB, each: 128 * MB })
/** Event streams of one user in this process. */
const streams = new Semaphore({ total: 2_000, each: 5 })
/** What a form without a length may turn out to be. */
const UNKNOWN = 100 * MB
const RETRY_SECONDS = 10

const shareKey = (request: FastifyRequest) => request.caller?.userId ?? request.ip

/** Reserves the memory a form will take; returns what gives it back. Throws Refusal 429. */
export function reserveForm(request: FastifyRequest): () => void {
  const length = Number(request.headers['content-length'] ?? UNKNOWN)
  const release = forms.tryAcquire(shareKey(request), Math.min(length, UNKNOWN + MB))
  if (!release) throw tooMany('Other uploads are still running. Try again in a few seconds.', RETRY_SECONDS)
  return release
}

/** Counts an event stream until it ends. Throws Refusal 429 at the sixth of a user. */
export function countStream(request: FastifyRequest, reply: FastifyReply): void {
  const release = streams.tryAcquire(shareKey(request))
  if (!release)
    throw tooMany('Too many live views are open. Close one in another tab or window, then try again.', RETRY_SECONDS)
  reply.raw.once('close', release)
}
