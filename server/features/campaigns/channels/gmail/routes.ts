import type { FastifyInstance } from 'fastify'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { mailMerge } from '#contracts/campaigns/channels/gmail/mail-merge.ts'
import { mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import type { Services } from '#server/services.ts'
import { attach, detach } from './attachments.ts'
import { listFollowUps, saveFollowUps } from './follow-ups.ts'
import { mergeRows } from './mail-merge.ts'

/** Mounts what only Gmail campaigns have: files, follow-ups and the rows of a spreadsheet. */
export function mountGmail(
  app: FastifyInstance,
  services: Services,
  show: (workspaceId: string, id: string) => Promise<Campaign>,
): void {
  const { db } = services
  mount(app, campaigns.attach, ({ caller, params, form }) => attach(services, caller.workspaceId, params.id, form))
  mount(app, campaigns.detach, async ({ caller, params }) => {
    await detach(services, caller.workspaceId, params.id, params.attachmentId)
    return {}
  })
  mount(app, followUps.list, async ({ caller, params }) =>
    wholeList(await listFollowUps(db, caller.workspaceId, params.id)),
  )
  mount(app, followUps.save, async ({ caller, params, body }) =>
    wholeList(await saveFollowUps(db, caller.workspaceId, params.id, body.items)),
  )
  mount(app, mailMerge.upload, async ({ caller, params, form, request }) => ({
    ...(await mergeRows(services, caller, params.id, { form, request })),
    campaign: await show(caller.workspaceId, params.id),
  }))
}
