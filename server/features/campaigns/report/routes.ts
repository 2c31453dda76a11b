import type { FastifyInstance } from 'fastify'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports as reports } from '#contracts/campaigns/report/report.ts'
import { campaignStats, messageEvents } from '#server/features/tracking/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { sendCsv } from '#server/platform/http/send-csv.ts'
import type { Services } from '#server/services.ts'
import { findCampaign } from '../campaigns.ts'
import { averageRates } from './averages.ts'
import { duplicateCampaign, resendCampaign } from './copies.ts'
import { showEmail } from './email-view.ts'
import { exportMessages, listMessages } from './messages.ts'
import { toChoice } from './recipients.ts'
import { listShares, revokeShare, shareReport, showShared } from './shares.ts'
import { saveAsList } from './to-list.ts'

/** Mounts what a campaign came to, and what is made of it. Figures wait for `judged`: all that came in is classified. */
export function mountReports(app: FastifyInstance, services: Services, judged: () => Promise<unknown>): void {
  const { db, reads } = services

  mount(app, campaigns.messages, async ({ caller, params, query }) => {
    const campaign = await findCampaign(services, caller.workspaceId, params.id)
    await judged()
    const { limit, sort, cursor, ...filter } = query
    return reads.run(caller, (db) => listMessages(db, campaign, toChoice(filter), { limit, sort, after: cursor }))
  })
  mount(app, campaigns.exportMessages, async ({ caller, params, query, reply }) => {
    const campaign = await findCampaign(services, caller.workspaceId, params.id)
    return sendCsv(reply, `campaign-${params.id}`, exportMessages(reads.pick(caller), campaign, toChoice(query)))
  })
  mount(app, campaigns.messageEvents, async ({ caller, params }) =>
    wholeList(await messageEvents(db, caller.workspaceId, params.id, params.messageId)),
  )
  mount(app, campaigns.stats, async ({ caller, params }) => {
    await judged()
    return reads.run(caller, (db) => campaignStats(db, caller.workspaceId, params.id))
  })
  mount(app, reports.averages, async ({ caller, params }) => {
    const campaign = await findCampaign(services, caller.workspaceId, params.id)
    return reads.run(caller, (db) => averageRates(db, campaign))
  })
  mount(app, reports.email, async ({ caller, params }) =>
    showEmail(db, await findCampaign(services, caller.workspaceId, params.id)),
  )
  mount(app, reports.toList, async ({ caller, params, body }) => {
    const campaign = await findCampaign(services, caller.workspaceId, params.id)
    await judged()
    const { name, ...filter } = body
    return db.transaction().execute((db) => saveAsList(db, campaign, name, toChoice(filter)))
  })
  mount(app, reports.duplicate, ({ caller, params }) => duplicateCampaign(services, caller, params.id))
  mount(app, reports.resend, async ({ caller, params, body }) => {
    await judged()
    return resendCampaign(services, caller, params.id, body.subject)
  })
  mount(app, reports.shares, async ({ caller, params }) =>
    wholeList(await listShares(services, caller.workspaceId, params.id)),
  )
  mount(app, reports.share, ({ caller, params, body }) =>
    shareReport(services, caller.workspaceId, params.id, body.expiresInDays),
  )
  mount(app, reports.unshare, async ({ caller, params }) => {
    await revokeShare(services, caller.workspaceId, params.id, params.shareId)
    return {}
  })
  mount(app, reports.shared, async ({ params, reply }) => {
    reply.header('cache-control', 'no-store')
    await judged()
    return showShared(services, params.token)
  })
}
