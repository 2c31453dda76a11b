import { LRUCache } from 'lru-cache'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { CampaignAverages } from '#contracts/campaigns/report/report.ts'
import { countRates } from '#contracts/whatsapp/rates.ts'
import { engagementByCampaign } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CampaignRow, selectCampaigns } from '../campaign-rows.ts'
import { findChannel } from '../channels/index.ts'
import { presentCampaigns } from '../present.ts'

type Rates = CampaignAverages['rates']
type Counted = NonNullable<ReturnType<Awaited<ReturnType<typeof engagementByCampaign>>['get']>>
/** `bounced`: null where nobody can know. */
type Engagement = Omit<Counted, 'bounced'> & { bounced: number | null }

const COMPARED = 20
const TEN_MINUTES = 600_000

/** Rates of campaigns that are over: they hardly change, and counting their events takes long. */
const known = new LRUCache<string, Rates>({ max: 2_000, ttl: TEN_MINUTES })

const share = (part: number | null, whole: number): number | null =>
  part === null || whole === 0 ? null : Math.min(1, part / whole)

function toRates(campaign: Campaign, engaged: Engagement): Rates {
  const { counts, delivery } = campaign
  const tried = counts.sent + counts.deferred + counts.failed + counts.bounced + counts.unconfirmed
  if (delivery) {
    const unknown = { open: null, click: null, clickToOpen: null, unsubscribe: null, bounce: null }
    return { ...unknown, ...countRates(delivery) }
  }
  const isByRecipient = campaign.trackingMode === 'individual'
  const [knowsOpeners, knowsClickers] = [campaign.trackOpens && isByRecipient, campaign.trackClicks && isByRecipient]
  return {
    delivered: share(counts.sent, tried),
    open: share(knowsOpeners ? engaged.opened : null, counts.sent),
    click: share(knowsClickers ? engaged.clicked : null, counts.sent),
    clickToOpen: share(knowsOpeners && knowsClickers ? engaged.clicked : null, engaged.engaged),
    unsubscribe: share(engaged.unsubscribed, counts.sent),
    bounce: share(engaged.bounced, tried),
    read: null,
    reply: share(campaign.replied, counts.sent),
    failure: share(counts.failed, tried),
  }
}

async function earlierCampaigns(db: Db, { workspaceId, id, channel, startedAt }: CampaignRow) {
  if (!startedAt) return []
  return selectCampaigns(db, workspaceId)
    .where('campaigns.channel', '=', channel)
    .where('campaigns.state', '=', 'sent')
    .where('campaigns.parentId', 'is', null)
    .where('campaigns.journeyId', 'is', null)
    .where('campaigns.isSample', '=', false)
    .where('campaigns.id', '<>', id)
    .where('campaigns.startedAt', '<', startedAt)
    .where('counts.sent', '>', '0')
    .orderBy('campaigns.startedAt', 'desc')
    .limit(COMPARED)
    .execute()
}

/** The mean of what is known; null of nothing. */
function mean(values: (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null)
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}

/** The average rates of the campaigns that were sent over the same channel before this one, each counted alike. */
export async function averageRates(db: Db, campaign: CampaignRow): Promise<CampaignAverages> {
  const { workspaceId } = campaign
  const rows = await earlierCampaigns(db, campaign)
  const uncounted = rows.filter(({ id }) => !known.has(id))
  const presented = await presentCampaigns(db, workspaceId, uncounted, false)
  const engaged = await engagementByCampaign(
    db,
    workspaceId,
    uncounted.map(({ id }) => id),
  )
  const counted = new Map<string, Rates>()
  for (const one of presented) {
    const found = engaged.get(one.id)
    if (!found) continue
    // Where nothing was rejected at once, and no source tells of later bounces, nobody knows of any.
    const observed = found.bounced > 0 ? undefined : await findChannel(one.channel)?.observe?.(db, workspaceId, one.id)
    const rates = toRates(one, { ...found, bounced: observed?.bounces === false ? null : found.bounced })
    counted.set(one.id, rates)
    known.set(one.id, rates)
  }
  const all = rows.flatMap(({ id }) => counted.get(id) ?? known.get(id) ?? [])
  const average = (rate: keyof Rates) => mean(all.map((rates) => rates[rate]))
  return {
    campaigns: all.length,
    rates: {
      delivered: average('delivered'),
      open: average('open'),
      click: average('click'),
      clickToOpen: average('clickToOpen'),
      unsubscribe: average('unsubscribe'),
      bounce: average('bounce'),
      read: average('read'),
      reply: average('reply'),
      failure: average('failure'),
    },
  }
}
