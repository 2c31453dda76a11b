import type { z } from 'zod'
import type { CampaignStats, MessageEvent as MessageEventSchema } from '#contracts/campaigns/stats.ts'
import { asWritten } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { type Reason, reasons } from './classify.ts'
import { detectMailClient } from './clients.ts'
import { messagePart } from './message-part.ts'
import { campaignReceivers } from './receivers/receivers.ts'
import * as store from './stats-store.ts'

/** A share between 0 and 1; null where nothing can be known. */
function share(part: number, whole: number, known = true): number | null {
  return known && whole > 0 ? Math.min(1, part / whole) : null
}

/**
 * The figures of one campaign, all worked out from raw events: total = human + machine, unique = people, rates by
 * unique people over messages that were accepted and have not bounced. Throws Refusal 404 for a campaign that is not the workspace's.
 */
export async function campaignStats(db: Db, workspaceId: string, campaignId: string): Promise<CampaignStats> {
  const facts = await store.campaignFacts(db, workspaceId, campaignId)
  if (!facts) throw notFound('Campaign')
  const counted = await store.countEvents(db, workspaceId, campaignId)
  const find = (kind: string, by: 'human' | 'machine') => counted.find((row) => row.kind === kind && row.class === by)
  const countByReader = (kind: string) => {
    const human = Number(find(kind, 'human')?.total ?? 0)
    const machine = Number(find(kind, 'machine')?.total ?? 0)
    return { total: human + machine, unique: Number(find(kind, 'human')?.messages ?? 0), human, machine }
  }
  const people = (kind: string) => Number(find(kind, 'human')?.messages ?? 0)
  const [opens, clicks, unsubscribes] = [countByReader('open'), countByReader('click'), people('unsubscribe')]
  const observed = await messagePart().observe(db, workspaceId, facts.channel, campaignId)
  // Where no source tells that nobody complained, none reported is unknown.
  const complaints = people('complaint') || (observed?.complaints ? 0 : null)
  const [sent, attempted] = [Number(facts.sent), Number(facts.attempted)]
  const engaged = await store.countEngaged(db, workspaceId, campaignId)
  const bounced = (await store.countBounces(db, workspaceId, [campaignId]))[0]?.count ?? 0
  return {
    accepted: sent + Number(facts.bounced),
    delivered: observed?.bounces === false ? null : sent,
    observedSince: (observed?.since ?? (observed ? null : facts.startedAt))?.toISOString() ?? null,
    opens,
    clicks,
    rates: {
      open: share(opens.unique, sent, facts.trackOpens),
      click: share(clicks.unique, sent, facts.trackClicks),
      // Some click with images off: openers alone would give more than 100 %.
      clickToOpen: share(clicks.unique, engaged, facts.trackOpens && facts.trackClicks),
      bounce: share(bounced, attempted),
      unsubscribe: share(unsubscribes, sent),
      complaint: complaints === null ? null : share(complaints, sent),
    },
    links: (await store.countLinks(db, workspaceId, campaignId)).map((link) => ({ ...link, url: asWritten(link.url) })),
    timeline: await buildTimeline(db, workspaceId, campaignId, facts.startedAt),
    clients: await countClients(db, workspaceId, campaignId),
    bounces: bounced,
    unsubscribes,
    complaints,
    receivers: observed
      ? await campaignReceivers(db, workspaceId, campaignId, {
          tried: attempted,
          trackOpens: facts.trackOpens,
          trackClicks: facts.trackClicks,
          complaints: observed.complaints,
        })
      : [],
  }
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]
/** Fewer say nothing of when. */
const MIN_BUCKETS = 6

/** How fine the timeline is, in seconds: minutes while the campaign is young, hours for two days, quarters of a day for ten, then days. */
function chooseBucket(spanSeconds: number): number {
  if (spanSeconds <= 30 * MINUTE) return MINUTE
  if (spanSeconds <= 3 * HOUR) return 5 * MINUTE
  if (spanSeconds <= 2 * DAY) return HOUR
  return spanSeconds <= 10 * DAY ? DAY / 4 : DAY
}

/**
 * From the start to the last event without gaps: the width grows with the span, so there are never many buckets. What is
 * missing to six lies before the start, where it is known that nothing happened.
 */
async function buildTimeline(
  db: Db,
  workspaceId: string,
  campaignId: string,
  startedAt: Date | null,
): Promise<CampaignStats['timeline']> {
  const span = await store.findEventSpan(db, workspaceId, campaignId)
  if (!span) return []
  const from = Math.min(startedAt?.getTime() ?? Number.POSITIVE_INFINITY, span.first.getTime()) / 1000
  const to = span.last.getTime() / 1000
  const seconds = chooseBucket(to - from)
  const counts = await store.countByTime(db, workspaceId, campaignId, seconds)
  const last = Math.floor(to / seconds)
  const first = Math.min(Math.floor(from / seconds), last - MIN_BUCKETS + 1)
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    at: new Date((first + i) * seconds * 1000).toISOString(),
    ...(counts.get(first + i) ?? { opens: 0, clicks: 0, machine: 0 }),
  }))
}

async function countClients(db: Db, workspaceId: string, campaignId: string): Promise<CampaignStats['clients']> {
  const names = new Map<string, number>()
  for (const { userAgent, opens } of await store.countAgents(db, workspaceId, campaignId)) {
    const name = detectMailClient(userAgent)
    names.set(name, (names.get(name) ?? 0) + opens)
  }
  return [...names]
    .map(([name, opens]) => ({ name, opens }))
    .sort((a, b) => b.opens - a.opens || a.name.localeCompare(b.name))
}

/** Unique human openers and clickers of campaigns; one without any is not in the map. */
export async function openedAndClicked(
  db: Db,
  workspaceId: string,
  campaignIds: string[],
): Promise<Map<string, { opened: number; clicked: number }>> {
  const rows = await store.countPeople(db, workspaceId, campaignIds)
  return new Map(rows.map((row) => [row.campaignId, { opened: Number(row.opened), clicked: Number(row.clicked) }]))
}

/** The user agents that are one client, at most 5,000; of `unknown` those that are not, because most of the rest have no name. */
export async function listClientAgents(
  db: Db,
  workspaceId: string,
  campaignId: string,
  client: string,
): Promise<{ agents: string[]; isRest: boolean }> {
  const all = (await store.countAgents(db, workspaceId, campaignId)).map(({ userAgent }) => userAgent)
  const isRest = client === detectMailClient('')
  const agents = all.filter((agent) => (detectMailClient(agent) === client) !== isRest)
  return { agents, isRest }
}

/** The links of a campaign by their lowest number, with the people who clicked each. */
export const campaignLinks = store.countLinks

/** What people did with campaigns, by campaign. */
export async function engagementByCampaign(db: Db, workspaceId: string, campaignIds: string[]) {
  const rows = await store.countEngagement(db, workspaceId, campaignIds)
  const bounces = await store.countBounces(db, workspaceId, campaignIds)
  const found = new Map(
    campaignIds.map((id) => [id, { opened: 0, clicked: 0, engaged: 0, unsubscribed: 0, bounced: 0 }]),
  )
  for (const { campaignId, ...counts } of rows) Object.assign(found.get(campaignId) ?? {}, counts)
  for (const { campaignId, count } of bounces) Object.assign(found.get(campaignId) ?? {}, { bounced: count })
  return found
}

type MessageEvent = z.infer<typeof MessageEventSchema>

/** What happened to one recipient, in order of time. Throws Refusal 404 when the message is not of this campaign and workspace. */
export async function messageEvents(
  db: Db,
  workspaceId: string,
  campaignId: string,
  messageId: string,
): Promise<MessageEvent[]> {
  const found = await store.messageWithEvents(db, workspaceId, campaignId, messageId)
  if (!found) throw notFound('Message')
  const { message, events } = found
  const facts = await messagePart().readFacts(db, workspaceId, message.channel, messageId)
  const fact = (at: Date, kind: MessageEvent['kind'], reason: string, detail: string): MessageEvent => ({
    at: at.toISOString(),
    kind,
    class: null,
    reason,
    detail,
  })
  const items: MessageEvent[] = [fact(message.queuedAt, 'queued', '', '')]
  if (message.sentAt)
    items.push(fact(message.sentAt, 'sent', message.state === 'unconfirmed' ? 'unconfirmed' : '', message.response))
  else if (message.state === 'failed')
    items.push(fact(message.firstAttemptAt ?? message.queuedAt, 'failed', message.reason, message.response))
  else if (message.state === 'deferred')
    items.push(fact(message.firstAttemptAt ?? message.queuedAt, 'deferred', message.reason, message.response))
  if (message.state === 'bounced')
    items.push(fact(facts?.bouncedAt ?? message.sentAt ?? message.queuedAt, 'bounce', message.reason, message.response))
  if (facts?.repliedAt) items.push(fact(facts.repliedAt, 'reply', '', ''))
  for (const event of events) {
    items.push({
      at: event.at.toISOString(),
      kind: event.kind as MessageEvent['kind'],
      class: event.class as 'human' | 'machine',
      reason: reasons[event.reason as Reason] ?? '',
      detail:
        (event.url === null ? null : asWritten(event.url)) ??
        (event.kind === 'open' || event.kind === 'view' ? detectMailClient(event.userAgent) : ''),
    })
  }
  return items.sort((a, b) => a.at.localeCompare(b.at))
}
