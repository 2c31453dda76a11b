import type { z } from 'zod'
import type { CampaignStats, MessageEvent as MessageEventSchema } from '#contracts/campaigns/stats.ts'
import { asWritten } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { type Reason, reasons } from '../classify.ts'
import { detectMailClient } from '../clients.ts'
import { messagePart } from '../message-part.ts'
import { campaignReceivers } from '../receivers/receivers.ts'
import { type Figure, readFigures } from '../rollups/counts-store.ts'
import type { Dimension } from '../rollups/figures.ts'
import { readTotals } from '../totals/totals-store.ts'
import * as store from './stats-store.ts'
import { buildTimeline, needsMinutes } from './timeline.ts'

/** A share between 0 and 1; null where nothing can be known. */
function share(part: number, whole: number, known = true): number | null {
  return known && whole > 0 ? Math.min(1, part / whole) : null
}

/** What was reported; null where nothing was, and nobody would report it. */
const orUnknown = (count: number, isObserved = true): number | null => (count > 0 || isObserved ? count : null)

/** Finds a figure without a number or name. */
const find = (figures: Figure[], dimension: Dimension) => figures.find((figure) => figure.dimension === dimension)
const countMessages = (figures: Figure[], dimension: Dimension) => find(figures, dimension)?.messages ?? 0

/** `isTotal`: how many people they were is unknown. */
function countByReader(figures: Figure[], kind: 'open' | 'click', isTotal: boolean) {
  const human = find(figures, kind)?.total ?? 0
  const machine = find(figures, `${kind}-machine`)?.total ?? 0
  return { total: human + machine, unique: isTotal ? null : countMessages(figures, kind), human, machine }
}

/**
 * The figures of one campaign: total = human + machine, unique = people, rates by unique people over messages that were
 * accepted and have not bounced. `isShared`: without receivers. Throws Refusal 404 for a campaign that is not the workspace's.
 */
export async function campaignStats(
  db: Db,
  workspaceId: string,
  campaignId: string,
  { isShared = false } = {},
): Promise<CampaignStats> {
  const facts = await store.campaignFacts(db, workspaceId, campaignId)
  if (!facts) throw notFound('Campaign')
  const { startedAt } = facts
  const isYoung = needsMinutes(startedAt, Date.now())
  const observed = await messagePart().observe(db, workspaceId, facts.channel, campaignId)
  // Each counts messages that changed a moment ago by itself: at once they take the time of one.
  const [ofMessages, receivers] = await Promise.all([
    readFigures(
      db,
      workspaceId,
      [campaignId],
      [...(['kinds', 'refused', 'links', 'hours', 'agents'] as const), ...(isYoung ? (['minutes'] as const) : [])],
    ),
    observed && !isShared
      ? campaignReceivers(db, workspaceId, campaignId, {
          trackOpens: facts.trackOpens,
          trackClicks: facts.trackClicks,
          bounces: observed.bounces,
          complaints: observed.complaints,
        })
      : [],
  ])
  const isTotal = facts.totalsOf !== null
  const figures = isTotal ? [...ofMessages, ...(await readTotals(db, workspaceId, campaignId))] : ofMessages
  const [opens, clicks] = [countByReader(figures, 'open', isTotal), countByReader(figures, 'click', isTotal)]
  const unsubscribes = countMessages(figures, 'unsubscribe')
  // Where no source tells that nobody complained, none reported is unknown.
  const complaints = orUnknown(countMessages(figures, 'complaint'), observed?.complaints ?? false)
  const [sent, attempted] = [Number(facts.sent), Number(facts.attempted)]
  const engaged = countMessages(figures, 'engaged')
  const bounced = orUnknown(countMessages(figures, 'refused'), observed?.bounces)
  return {
    accepted: sent + Number(facts.bounced),
    delivered: observed?.bounces === false ? null : sent,
    observedSince: (observed?.since ?? (observed ? null : facts.startedAt))?.toISOString() ?? null,
    opens,
    clicks,
    rates: {
      open: share(opens.unique ?? 0, sent, facts.trackOpens),
      click: share(clicks.unique ?? 0, sent, facts.trackClicks),
      // Some click with images off: openers alone would give more than 100 %.
      clickToOpen: share(clicks.unique ?? 0, engaged, facts.trackOpens && facts.trackClicks),
      bounce: bounced === null ? null : share(bounced, attempted),
      unsubscribe: share(unsubscribes, sent),
      complaint: complaints === null ? null : share(complaints, sent),
    },
    links: toLinks(figures, await store.listDestinations(db, workspaceId, campaignId)).map((link) => ({
      ...link,
      unique: isTotal ? null : link.unique,
      url: asWritten(link.url),
    })),
    timeline:
      buildTimeline(figures, startedAt, isTotal) ??
      buildTimeline([...figures, ...(await readFigures(db, workspaceId, [campaignId], ['minutes']))], startedAt) ??
      [],
    clients: countClients(figures),
    bounces: bounced,
    unsubscribes,
    complaints,
    receivers,
  }
}

/** Every destination, the most followed first; one that stands in the email twice is one. */
function toLinks(figures: Figure[], destinations: { link: number; url: string }[]) {
  const byLink = (dimension: Dimension) =>
    new Map(figures.filter((figure) => figure.dimension === dimension).map((figure) => [figure.number, figure]))
  const [people, machines] = [byLink('link'), byLink('link-machine')]
  return destinations
    .map(({ link, url }) => ({
      ...{ link, url, clicks: people.get(link)?.total ?? 0, unique: people.get(link)?.messages ?? 0 },
      machine: machines.get(link)?.total ?? 0,
    }))
    .sort((a, b) => b.clicks - a.clicks || b.machine - a.machine || a.link - b.link)
}

function countClients(figures: Figure[]): CampaignStats['clients'] {
  const names = new Map<string, number>()
  for (const { dimension, name: userAgent, total } of figures) {
    if (dimension !== 'agent') continue
    const name = detectMailClient(userAgent)
    names.set(name, (names.get(name) ?? 0) + total)
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
  const figures = Map.groupBy(await readFigures(db, workspaceId, campaignIds, ['kinds']), (figure) => figure.campaignId)
  return new Map(
    [...figures].flatMap(([id, some]) => {
      const [opened, clicked] = [countMessages(some, 'open'), countMessages(some, 'click')]
      return opened + clicked > 0 ? [[id, { opened, clicked }] as const] : []
    }),
  )
}

/** The user agents that are one client, at most 5,000; of `unknown` those that are not, because most of the rest have no name. */
export async function listClientAgents(
  db: Db,
  workspaceId: string,
  campaignId: string,
  client: string,
): Promise<{ agents: string[]; isRest: boolean }> {
  const all = (await readFigures(db, workspaceId, [campaignId], ['agents'])).map(({ name }) => name)
  const isRest = client === detectMailClient('')
  const agents = all.filter((agent) => (detectMailClient(agent) === client) !== isRest)
  return { agents, isRest }
}

/** The links of a campaign by their lowest number, with the people who clicked each. */
export const campaignLinks = async (db: Db, workspaceId: string, campaignId: string) =>
  toLinks(
    await readFigures(db, workspaceId, [campaignId], ['links']),
    await store.listDestinations(db, workspaceId, campaignId),
  )

/** What people did with campaigns, by campaign. */
export async function engagementByCampaign(db: Db, workspaceId: string, campaignIds: string[]) {
  const figures = Map.groupBy(
    await readFigures(db, workspaceId, campaignIds, ['kinds', 'refused']),
    (figure) => figure.campaignId,
  )
  return new Map(
    campaignIds.map((id) => {
      const some = figures.get(id) ?? []
      const counts = {
        opened: countMessages(some, 'open'),
        clicked: countMessages(some, 'click'),
        engaged: countMessages(some, 'engaged'),
        unsubscribed: countMessages(some, 'unsubscribe'),
        bounced: countMessages(some, 'refused'),
      }
      return [id, counts]
    }),
  )
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
  const told: [Date | null | undefined, MessageEvent['kind']][] = [
    [facts?.deliveredAt, 'delivered'],
    [facts?.readAt, 'read'],
    [facts?.repliedAt, 'reply'],
    [facts?.unsubscribedAt, 'unsubscribe'],
  ]
  // Meta tells times in whole seconds: none of this was before the message was sent.
  for (const [at, kind] of told)
    if (at) items.push(fact(message.sentAt && at < message.sentAt ? message.sentAt : at, kind, '', ''))
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
