import { LRUCache } from 'lru-cache'
import type { Activity } from '#contracts/dashboard/dashboard.ts'
import { openedAndClicked } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import * as store from './activity-store.ts'

const DAY_MS = 86_400_000

/** A campaign with what its people did. */
interface Counted extends store.SentCampaign {
  opened: number
  clicked: number
  replied: number
  /** Over WhatsApp; 0 for other channels. */
  delivered: number
}

type People = Pick<Counted, 'opened' | 'clicked' | 'replied' | 'delivered'>

const SETTLED_MS = 3 * DAY_MS
const TEN_MINUTES = 600_000
/** What people did with campaigns that started days ago: it hardly changes, and counting it takes longest. */
const settled = new LRUCache<string, People>({ max: 10_000, ttl: TEN_MINUTES })

async function countPeople(db: Db, workspaceId: string, campaigns: store.SentCampaign[]): Promise<Counted[]> {
  const known = new Map(campaigns.map(({ id }) => [id, settled.get(id)]))
  const toCount = campaigns.filter(({ id }) => known.get(id) === undefined)
  const toIds = (isWhatsApp: boolean) =>
    toCount.filter(({ channel }) => (channel === 'whatsapp') === isWhatsApp).map(({ id }) => id)
  const engaged = await openedAndClicked(db, workspaceId, toIds(false))
  const read = await store.readAndReplied(db, workspaceId, toIds(true))
  return campaigns.map((campaign) => {
    const { id, startedAt } = campaign
    const people = known.get(id) ?? {
      opened: engaged.get(id)?.opened ?? read.get(id)?.read ?? 0,
      clicked: engaged.get(id)?.clicked ?? 0,
      replied: read.get(id)?.replied ?? 0,
      delivered: read.get(id)?.delivered ?? 0,
    }
    if (Date.now() - startedAt.getTime() > SETTLED_MS) settled.set(id, people, { noUpdateTTL: true })
    return { ...campaign, ...people }
  })
}

const sum = (campaigns: Counted[], part: 'sent' | 'opened' | 'clicked' | 'replied' | 'delivered') =>
  campaigns.reduce((total, campaign) => total + campaign[part], 0)

/** The figures of campaigns. Nobody can know who opened what was sent without tracking; nothing sent is 0. */
function toFigures(campaigns: Counted[], channel: store.ChannelName | undefined): Activity['figures'] {
  const sent = campaigns.filter((campaign) => campaign.sent > 0)
  const isKnown = (tracked: (campaign: Counted) => boolean) => sent.length === 0 || sent.some(tracked)
  const opens = isKnown((campaign) => campaign.channel === 'whatsapp' || campaign.trackOpens)
  const clicks = isKnown((campaign) => campaign.channel !== 'whatsapp' && campaign.trackClicks)
  return {
    sent: sum(campaigns, 'sent'),
    opened: opens ? sum(campaigns, 'opened') : null,
    clicked: clicks && channel !== 'whatsapp' ? sum(campaigns, 'clicked') : null,
    replied: channel === 'whatsapp' ? sum(campaigns, 'replied') : null,
    delivered: channel === 'whatsapp' ? sum(campaigns, 'delivered') : null,
  }
}

const toDay = (at: Date | number) => new Date(at).toISOString().slice(0, 10)

function toTrend(campaigns: Counted[], first: number, days: number): Activity['trend'] {
  const byDay = Map.groupBy(campaigns, ({ startedAt }) => toDay(startedAt))
  return Array.from({ length: days }, (_, index) => {
    const at = first + index * DAY_MS
    const started = byDay.get(toDay(at)) ?? []
    return {
      day: toDay(at),
      sent: sum(started, 'sent'),
      opened: sum(started, 'opened'),
      clicked: sum(started, 'clicked'),
      replied: sum(started, 'replied'),
      previousSent: sum(byDay.get(toDay(at - days * DAY_MS)) ?? [], 'sent'),
    }
  })
}

async function findLast(
  db: Db,
  workspaceId: string,
  channel: store.ChannelName | undefined,
): Promise<Activity['last']> {
  const last = await store.lastStarted(db, workspaceId, channel)
  if (!last) return null
  const { id, name, startedAt } = last
  return {
    id,
    name,
    channel: last.channel,
    state: last.state as NonNullable<Activity['last']>['state'],
    startedAt: startedAt.toISOString(),
    figures: toFigures(await countPeople(db, workspaceId, [last]), last.channel),
  }
}

/**
 * What the campaigns of the last days did, of all channels or one, beside the same number of days before; what comes next and
 * what needs the user. A campaign counts on the day it started. Days are of UTC, today is the last.
 */
export async function showActivity(
  db: Db,
  workspaceId: string,
  { channel, days: asked }: { channel?: store.ChannelName | undefined; days: '30' | '90' },
): Promise<Activity> {
  const days = Number(asked)
  const first = Date.parse(toDay(Date.now())) - (days - 1) * DAY_MS
  const begun = await store.sentSince(db, workspaceId, new Date(first - days * DAY_MS), channel)
  const campaigns = await countPeople(db, workspaceId, begun)
  const isNow = ({ startedAt }: Counted) => startedAt.getTime() >= first
  const next = await store.nextToStart(db, workspaceId, channel)
  const attention = await store.needsAttention(db, workspaceId)
  return {
    since: new Date(first).toISOString(),
    figures: toFigures(campaigns.filter(isNow), channel),
    previous: toFigures(
      campaigns.filter((campaign) => !isNow(campaign)),
      channel,
    ),
    trend: toTrend(campaigns, first, days),
    last: await findLast(db, workspaceId, channel),
    next: next ? { id: next.id, name: next.name, channel: next.channel, at: next.scheduledAt.toISOString() } : null,
    attention: attention.map((item) => ({ ...item, at: item.at.toISOString() })),
  }
}
