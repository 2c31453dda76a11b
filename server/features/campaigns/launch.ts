import { sql } from 'kysely'
import { restoreSuppressions } from '#server/features/contacts/index.ts'
import { queueLookups } from '#server/features/senders/index.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { AudienceFault, writeWithin } from './audience/audience.ts'
import { type CampaignRow, campaignById } from './campaign-rows.ts'
import type { Channel, Launch } from './channels/channel.ts'
import { requireChannel } from './channels/index.ts'
import { tellOrigins } from './origins.ts'
import { reserveCampaign } from './reservations.ts'
import { moveCampaign } from './store.ts'

/**
 * Starts a campaign that was set to sending: freezes its content and writes down its recipients, in one transaction and
 * only once. From then on nothing that is edited elsewhere changes what is sent.
 */
export async function launchCampaign(services: Services, workspaceId: string, id: string): Promise<void> {
  const { db, live } = services
  const campaign = await campaignById(db, workspaceId, id)
  if (campaign?.state !== 'sending' && campaign?.state !== 'paused') return
  const channel = requireChannel(campaign.channel)
  const launch = await channel.plan(services, campaign)
  if ('fault' in launch) {
    const { state, fault } = launch
    await moveCampaign(db, workspaceId, id, ['sending', 'paused'], {
      state,
      stateText: fault,
      ...(state === 'failed' && { finishedAt: new Date() }),
    })
    return
  }
  const refused = await begin(services, campaign, channel, launch).catch(explainRefusal)
  if (refused) {
    // It was scheduled, or its audience changed since: a draft again, so that it can be sent once that is fixed.
    await moveCampaign(db, workspaceId, id, ['sending', 'paused'], {
      state: 'draft',
      stateText: refused,
    })
    live.publish('sending', id)
    return
  }
  live.publish('sending', id)
}

async function begin(
  services: Services,
  { workspaceId, id }: CampaignRow,
  channel: Channel,
  { plan, tellsOrigins, writeAudience }: Launch,
): Promise<void> {
  await services.db.transaction().execute(async (db) => {
    const fresh = await db
      .updateTable('campaigns')
      .set({
        plan: JSON.stringify(plan),
        tellsOrigins,
        audienceAt: sql<Date>`now()`,
        startedAt: sql<Date>`clock_timestamp()`,
      })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .where('audienceAt', 'is', null)
      .where('state', 'in', ['sending', 'paused'])
      .returning('id')
      .executeTakeFirst()
    if (!fresh) return
    await restoreSuppressions(db, services.config, workspaceId)
    const reread = () => campaignById(db, workspaceId, id)
    await writeWithin(db, reread, (audience) => writeAudience(db, audience))
    if (tellsOrigins) await tellOrigins(db, workspaceId, id)
    await reserveCampaign(services, db, workspaceId, id, channel.counts)
    if (channel.isEmail) await queueLookups(services, db, { workspaceId, campaignId: id })
  })
}

/** What a launch says that the plan has no room for, or whose audience cannot be told; any other failure is thrown on. */
function explainRefusal(error: unknown): string {
  if (error instanceof AudienceFault || (error instanceof Refusal && error.status === 402))
    return `The campaign did not start. ${error.message}`
  throw error
}
