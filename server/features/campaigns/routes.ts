import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { campaigns } from '#contracts/campaigns.ts'
import { followUps } from '#contracts/follow-ups.ts'
import { mailMerge } from '#contracts/mail-merge.ts'
import { openedAndClicked } from '#server/features/tracking/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { attach, detach } from './attachments.ts'
import * as rules from './campaigns.ts'
import { checkCampaign } from './check.ts'
import { listFollowUps, saveFollowUps } from './follow-ups.ts'
import { campaignStreams } from './live.ts'
import { mergeRows } from './mail-merge.ts'
import { exportMessages, listMessages } from './messages.ts'
import { presentCampaign } from './present.ts'
import { campaignPage } from './store.ts'
import { testCampaign } from './test-mail.ts'
import { deliveryOf } from './whatsapp/content.ts'

/** A cursor is the last id of the page before. */
function cursorId(cursor: string | undefined): { after?: string } {
  if (cursor === undefined) return {}
  if (!/^[1-9]\d{0,18}$/.test(cursor)) throw invalid('cursor', 'is not one we gave')
  return { after: cursor }
}

export function mountCampaigns(app: FastifyInstance, services: Services): void {
  const { db, log } = services

  mount(app, campaigns.list, async ({ caller, query }) => {
    const { after } = cursorId(query.cursor)
    const rows = await campaignPage(db, caller.workspaceId, {
      limit: query.limit + 1,
      ...(after && { before: after }),
      ...(query.state && { state: query.state }),
      ...(query.channel && { channel: query.channel }),
    })
    const page = rows.slice(0, query.limit)
    const engaged = await openedAndClicked(
      db,
      caller.workspaceId,
      page.map((row) => row.id),
    )
    const ofWhatsApp = page.filter((row) => row.channel === 'whatsapp').map((row) => row.id)
    const delivery = await deliveryOf(db, caller.workspaceId, ofWhatsApp)
    return {
      items: page.map((row) => presentCampaign(row, engaged.get(row.id), [], delivery.get(row.id))),
      nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null,
    }
  })
  mount(app, campaigns.create, ({ caller, body }) => rules.createCampaign(services, caller.workspaceId, body))
  mount(app, campaigns.get, ({ caller, params }) => rules.showCampaign(services, caller.workspaceId, params.id))
  mount(app, campaigns.update, ({ caller, params, body }) =>
    rules.changeCampaign(services, caller.workspaceId, params.id, body),
  )
  mount(app, campaigns.attach, ({ caller, params, request }) =>
    attach(services, caller.workspaceId, params.id, request),
  )
  mount(app, campaigns.detach, async ({ caller, params }) => {
    await detach(services, caller.workspaceId, params.id, params.attachmentId)
    return {}
  })
  mount(app, followUps.list, async ({ caller, params }) => ({
    items: await listFollowUps(db, caller.workspaceId, params.id),
    nextCursor: null,
  }))
  mount(app, followUps.save, async ({ caller, params, body }) => ({
    items: await saveFollowUps(db, caller.workspaceId, params.id, body.items),
    nextCursor: null,
  }))
  mount(app, mailMerge.upload, async ({ caller, params, request }) => ({
    ...(await mergeRows(services, caller, params.id, request)),
    campaign: await rules.showCampaign(services, caller.workspaceId, params.id),
  }))
  mount(app, campaigns.remove, async ({ caller, params }) => {
    await rules.removeCampaign(services, caller.workspaceId, params.id)
    return {}
  })
  mount(app, campaigns.check, async ({ caller, params }) =>
    checkCampaign(services, await rules.findCampaign(services, caller.workspaceId, params.id)),
  )
  mount(app, campaigns.test, ({ caller, params, body }) => testCampaign(services, caller, params.id, body))
  mount(app, campaigns.send, ({ caller, params, body }) => rules.sendCampaign(services, caller, params.id, body))
  mount(app, campaigns.pause, ({ caller, params }) => rules.pauseCampaign(services, caller.workspaceId, params.id))
  mount(app, campaigns.resume, ({ caller, params }) => rules.resumeCampaign(services, caller.workspaceId, params.id))
  mount(app, campaigns.cancel, ({ caller, params }) => rules.cancelCampaign(services, caller.workspaceId, params.id))
  mount(app, campaigns.retry, async ({ caller, params, body }) => ({
    queued: await rules.retryCampaign(services, caller.workspaceId, params.id, body.states),
  }))
  mount(app, campaigns.messages, async ({ caller, params, query }) => {
    await rules.findCampaign(services, caller.workspaceId, params.id)
    return listMessages(db, caller.workspaceId, params.id, {
      limit: query.limit,
      ...cursorId(query.cursor),
      ...(query.state && { state: query.state }),
      ...(query.q && { q: query.q }),
    })
  })
  mount(app, campaigns.exportMessages, async ({ caller, params, query, reply }) => {
    await rules.findCampaign(services, caller.workspaceId, params.id)
    reply
      .header('content-disposition', `attachment; filename="campaign-${params.id}.csv"`)
      .type('text/csv; charset=utf-8')
    return reply.send(Readable.from(exportMessages(db, caller.workspaceId, params.id, query.state)))
  })
  const streamCounts = campaignStreams(db, log)
  mount(app, campaigns.live, async ({ caller, params, reply }) => {
    await rules.findCampaign(services, caller.workspaceId, params.id)
    streamCounts(reply, caller.workspaceId, params.id)
  })
}
