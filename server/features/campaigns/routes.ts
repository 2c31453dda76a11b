import type { FastifyInstance } from 'fastify'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { mount } from '#server/platform/http/mount.ts'
import { takePage } from '#server/platform/http/page.ts'
import type { Services } from '#server/services.ts'
import { campaignPage } from './campaign-rows.ts'
import * as rules from './campaigns.ts'
import { allChannels, requireChannel } from './channels/index.ts'
import { checkCampaign } from './check.ts'
import { campaignStreams } from './live.ts'
import { presentCampaigns } from './present.ts'
import { mountReports } from './report/routes.ts'

/** Mounts what all campaigns have, and what only those of a channel have. Figures wait for `judged`: all that came in is classified. */
export function mountCampaigns(app: FastifyInstance, services: Services, judged: () => Promise<unknown>): void {
  for (const channel of allChannels()) channel.mount?.(app, services, (...of) => rules.showCampaign(services, ...of))
  const { db } = services

  mount(app, campaigns.list, async ({ caller, query }) => {
    const rows = await campaignPage(db, caller.workspaceId, {
      limit: query.limit + 1,
      ...(query.cursor && { before: query.cursor }),
      ...(query.state && { state: query.state }),
      ...(query.channel && { channel: query.channel }),
    })
    const { items: page, nextCursor } = takePage(rows, query.limit)
    return {
      items: await presentCampaigns(db, caller.workspaceId, page, false),
      nextCursor,
    }
  })
  mount(app, campaigns.create, ({ caller, body }) => rules.createCampaign(services, caller.workspaceId, body))
  mount(app, campaigns.get, ({ caller, params }) => rules.showCampaign(services, caller.workspaceId, params.id))
  mount(app, campaigns.update, ({ caller, params, body }) =>
    rules.changeCampaign(services, caller.workspaceId, params.id, body),
  )
  mount(app, campaigns.remove, async ({ caller, params }) => {
    await rules.removeCampaign(services, caller.workspaceId, params.id)
    return {}
  })
  mount(app, campaigns.check, async ({ caller, params }) =>
    checkCampaign(services, await rules.findCampaign(services, caller.workspaceId, params.id)),
  )
  mount(app, campaigns.audience, async ({ caller, params }) => {
    const row = await rules.findCampaign(services, caller.workspaceId, params.id)
    return requireChannel(row.channel).countAudience(services, row)
  })
  mount(app, campaigns.test, async ({ caller, params, body }) => {
    const row = await rules.findCampaign(services, caller.workspaceId, params.id)
    return requireChannel(row.channel).test(services, caller, row, body)
  })
  mount(app, campaigns.send, ({ caller, params, body }) => rules.sendCampaign(services, caller, params.id, body))
  mount(app, campaigns.pause, ({ caller, params }) => rules.pauseCampaign(services, caller.workspaceId, params.id))
  mount(app, campaigns.resume, ({ caller, params }) => rules.resumeCampaign(services, caller.workspaceId, params.id))
  mount(app, campaigns.cancel, ({ caller, params }) => rules.cancelCampaign(services, caller.workspaceId, params.id))
  mount(app, campaigns.retry, async ({ caller, params, body }) => ({
    queued: await rules.retryCampaign(services, caller.workspaceId, params.id, body.states),
  }))
  mountReports(app, services, judged)
  const streamCounts = campaignStreams(services)
  mount(app, campaigns.live, async ({ caller, params, reply }) => {
    await rules.findCampaign(services, caller.workspaceId, params.id)
    streamCounts(reply, caller.workspaceId, params.id)
  })
}
