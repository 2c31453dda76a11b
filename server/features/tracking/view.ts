import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Prepared, prepare, renderView } from '#server/engine/index.ts'
import { discreet, send } from './answers.ts'
import { eventOf, readToken, type Tracking } from './engagement.ts'
import { sendLost } from './pages.ts'
import { campaignOf, planOf, readerOf } from './readers-store.ts'

/** What a mail may do as a page: show itself. No script, no form, no frame; links open outside the sandbox. */
const policy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
  "default-src 'none'",
  "img-src 'self' https: http: data:",
  "media-src 'self' https: http:",
  "font-src 'self' https: data:",
  "style-src 'unsafe-inline' https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PREPARED = 20

/** Keeps the fast form of the campaigns looked at last; a plan never changes once it is frozen. */
function preparedPlans({ db, tokens }: Tracking) {
  const kept = new Map<string, Prepared>()
  return async (campaignId: string): Promise<Prepared | undefined> => {
    let prepared = kept.get(campaignId)
    if (!prepared) {
      const plan = await planOf(db, campaignId)
      if (!plan) return undefined
      prepared = prepare(plan, tokens)
    }
    kept.delete(campaignId)
    kept.set(campaignId, prepared)
    const oldest = kept.keys().next().value
    if (kept.size > PREPARED && oldest !== undefined) kept.delete(oldest)
    return prepared
  }
}

/** The mail as a page, for the person it went to. It is noted as a view and never counts as an open. */
export function mountView(app: FastifyInstance, tracking: Tracking): void {
  const { db, log, tokens, writer } = tracking
  const preparedOf = preparedPlans(tracking)
  async function show(request: FastifyRequest, reply: FastifyReply) {
    const visit = {
      token: (request.params as { token: string }).token,
      method: request.method,
      headers: request.headers,
      ip: request.ip,
    }
    const token = readToken(tokens, visit.token, 'view')
    const reader = token && (await readerOf(db, token.recipientId))
    const campaignId = token && reader && (await campaignOf(db, token.recipientId))
    const prepared = campaignId && (await preparedOf(campaignId))
    if (!prepared || !reader) return sendLost(reply)
    if (request.method === 'GET')
      await writer
        .open(eventOf(visit, 'view', reader.id, null))
        .catch((error) => log.error({ err: error }, 'a view was lost'))
    const headers = { ...discreet, 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' }
    return send(reply, { status: 200, headers, body: renderView(prepared, reader).html, encoding: 'utf8' })
  }
  app.route({ url: '/v/:token', exposeHeadRoute: false, method: ['GET', 'HEAD'], handler: show })
}
