import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Plan } from '#server/engine/index.ts'
import { renderPageBounded } from '#server/features/templates/index.ts'
import { sendLost } from '#server/platform/http/pages/small-pages.ts'
import { discreet, send } from '#server/platform/http/responses.ts'
import { readToken, type Tracking, toEvent } from './engagement.ts'
import { findCampaignId, findFrozenPlan, findReader } from './readers-store.ts'
import { findSharedEmail } from './totals/totals-store.ts'

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

/** Caches the plans of the campaigns looked at last; a plan never changes once it is frozen. */
function cachedPlans({ db }: Tracking) {
  const plans = new LRUCache<string, Plan>({ max: 20 })
  return async (campaignId: string): Promise<Plan | undefined> => {
    const plan = plans.get(campaignId) ?? (await findFrozenPlan(db, campaignId))
    if (plan) plans.set(campaignId, plan)
    return plan
  }
}

/** The mail as a page for everybody, where links carry the campaign alone; null: there is none. Nothing is noted. */
async function renderShared({ db, key }: Tracking, campaignId: string): Promise<string | null> {
  const email = await findSharedEmail(db, campaignId)
  const plan = email?.plan as Plan | null | undefined
  return email && plan ? renderPageBounded(email.workspaceId, plan, null, key) : null
}

/** The mail as a page, for the person it went to. It is noted as a view and never counts as an open. */
export function mountView(app: FastifyInstance, tracking: Tracking): void {
  const { db, log, tokens, writer } = tracking
  const findCachedPlan = cachedPlans(tracking)
  async function show(request: FastifyRequest, reply: FastifyReply) {
    const visit = {
      token: (request.params as { token: string }).token,
      method: request.method,
      headers: request.headers,
      ip: request.ip,
    }
    const shared = readToken(tokens, visit.token, 'campaign_view')
    if (shared) return sendEmail(reply, await renderShared(tracking, shared.recipientId))
    const token = readToken(tokens, visit.token, 'view')
    const reader = token && (await findReader(db, token.recipientId))
    const campaignId = token && reader && (await findCampaignId(db, token.recipientId))
    const plan = campaignId && (await findCachedPlan(campaignId))
    if (!plan || !reader) return sendLost(reply)
    const { workspaceId, ...recipient } = reader
    const page = await renderPageBounded(workspaceId, plan, recipient, tracking.key)
    if (page !== null && request.method === 'GET')
      await writer
        .open(toEvent(visit, 'view', reader.id, null))
        .catch((error) => log.error({ err: error }, 'a view was lost'))
    return sendEmail(reply, page)
  }
  app.route({ url: '/v/:token', exposeHeadRoute: false, method: ['GET', 'HEAD'], handler: show })
}
