import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderLink, type TokenPurpose, type Tokens } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { classifyAlone, type Hints } from './classify.ts'
import type { NewEvent } from './events-store.ts'
import { networkOf } from './network.ts'
import { keepPrivate, sendLost } from './pages.ts'
import { destinationOf, readerOf } from './readers-store.ts'
import type { EventWriter } from './writer.ts'

export interface Tracking {
  db: Db
  log: Pick<Log, 'error'>
  tokens: Tokens
  writer: EventWriter
}

type Visit = FastifyRequest<{ Params: { token: string } }>

const AGENT_LENGTH = 512

function hintsOf(headers: FastifyRequest['headers']): Hints {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose === undefined ? {} : { purpose: String(purpose).slice(0, 100) }
}

/** The event a request is; where it came from is cut to its network. */
export function eventOf(request: FastifyRequest, kind: NewEvent['kind'], messageId: string, link: number | null): NewEvent {
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, AGENT_LENGTH)
  const hints = hintsOf(request.headers)
  return { messageId, kind, link, at: Date.now(), network: networkOf(request.ip), userAgent, hints, verdict: classifyAlone({ userAgent, hints }) }
}

/** What a token says if it was made for this purpose. */
export function readToken(tokens: Tokens, request: FastifyRequest, purpose: TokenPurpose) {
  const content = tokens.verify((request as Visit).params.token)
  return content?.purpose === purpose ? content : undefined
}

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
const pixelHeaders = {
  'content-type': 'image/gif',
  'content-length': String(GIF.length),
  'cache-control': 'no-store, no-cache, must-revalidate, max-age=0, private',
  pragma: 'no-cache',
  expires: '0',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

/** The pixel: an image for everybody, an event for our own tokens only. The answer follows the commit. */
export function mountPixel(app: FastifyInstance, { log, tokens, writer }: Tracking): void {
  const route = { url: '/t/o/:token', exposeHeadRoute: false }
  app.route({ ...route, method: 'HEAD', handler: (_request, reply) => reply.headers(pixelHeaders).send() })
  app.route({
    ...route,
    method: 'GET',
    handler: async (request, reply) => {
      const token = readToken(tokens, request, 'open')
      if (token) await writer.record(eventOf(request, 'open', token.recipientId, null)).catch((error) => log.error({ err: error }, 'an open was lost'))
      return reply.headers(pixelHeaders).send(GIF)
    },
  })
}

/** Where a stored link leads this reader. Only http(s), and never with a user name in it: that hides the host. */
async function leadTo(db: Db, messageId: string, stored: string): Promise<string | undefined> {
  let url: string | null = stored
  if (/\{[{%]/.test(stored)) {
    const reader = await readerOf(db, messageId)
    url = reader ? renderLink(stored, reader) : null
  }
  const target = url === null ? null : URL.parse(url)
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) return undefined
  // As its author wrote it; only what a header cannot hold is written the long way.
  return url !== null && /^[\x21-\x7e]+$/.test(url) ? url : target.href
}

function redirect(reply: FastifyReply, url: string | undefined): FastifyReply {
  return url === undefined ? sendLost(reply) : keepPrivate(reply).code(302).header('location', url).send()
}

/** A click: the stored destination, after the event is committed. HEAD gets the same answer and is no event. */
export function mountClicks(app: FastifyInstance, { db, tokens, writer }: Tracking): void {
  const route = { url: '/t/c/:token', exposeHeadRoute: false }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = readToken(tokens, request, 'click')
    if (!token) return sendLost(reply)
    const kept = request.method === 'GET' ? await writer.record(eventOf(request, 'click', token.recipientId, token.link)) : 'let go'
    const stored = kept === 'let go' ? await destinationOf(db, token.recipientId, token.link) : kept?.url
    return redirect(reply, stored ? await leadTo(db, token.recipientId, stored) : undefined)
  }
  app.route({ ...route, method: 'HEAD', handler: answer })
  app.route({ ...route, method: 'GET', handler: answer })
}
