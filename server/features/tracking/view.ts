import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { renderPageBounded } from '#server/features/templates/index.ts'
import { sendLost } from '#server/platform/http/pages/small-pages.ts'
import { discreet, send } from '#server/platform/http/responses.ts'
import { readToken, type Tracking, toEvent } from './engagement.ts'
import { type FrozenEmail, findCampaignId, findFrozenEmail, findReader } from './readers-store.ts'

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

function sendEmail(reply: FastifyReply, page: string | null) {
  if (page === null) return sendLost(reply)
  const headers = { ...discreet, 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' }
  return send(reply, { status: 200, headers, body: page, encoding: 'utf8' })
}

/** How long an email is shown that may have been deleted with its workspace. */
const CACHED_MS = 60_000

/** Caches the emails of the campaigns looked at last; one never changes once it is frozen. */
function cachedEmails({ db }: Tracking) {
  const emails = new LRUCache<string, FrozenEmail>({ max: 20, ttl: CACHED_MS })
  return async (campaignId: string): Promise<FrozenEmail | undefined> => {
    const known = emails.get(campaignId)
    if (known) return known
    const email = await findFrozenEmail(db, campaignId)
    if (email) emails.set(campaignId, email)
    return email
  }
}

/** The mail as a page, for the person it went to. It is noted as a view and never counts as an open. */
export function mountView(app: FastifyInstance, tracking: Tracking): void {
  const { db, log, tokens, writer } = tracking
  const findEmail = cachedEmails(tracking)
  /** The same for everybody, where links carry the campaign alone; null: there is none. Nothing is noted. */
  async function renderShared(campaignId: string): Promise<string | null> {
    const email = await findEmail(campaignId)
    return email ? renderPageBounded(email.workspaceId, email.plan, null, tracking.key) : null
  }
  async function show(request: FastifyRequest, reply: FastifyReply) {
    const visit = {
      token: (request.params as { token: string }).token,
      method: request.method,
      headers: request.headers,
      ip: request.ip,
    }
    const shared = readToken(tokens, visit.token, 'campaign_view')
    if (shared) return sendEmail(reply, await renderShared(shared.recipientId))
    const token = readToken(tokens, visit.token, 'view')
    const reader = token && (await findReader(db, token.recipientId))
    const campaignId = token && reader && (await findCampaignId(db, token.recipientId))
    const email = campaignId && (await findEmail(campaignId))
    if (!email || !reader) return sendLost(reply)
    const { workspaceId, ...recipient } = reader
    const page = await renderPageBounded(workspaceId, email.plan, recipient, tracking.key)
    if (page !== null && request.method === 'GET')
      await writer
        .open(toEvent(visit, 'view', reader.id, null))
        .catch((error) => log.error({ err: error }, 'a view was lost'))
    return sendEmail(reply, page)
  }
  app.route({ url: '/v/:token', exposeHeadRoute: false, method: ['GET', 'HEAD'], handler: show })
}
