import type { z } from 'zod'
import type { GmailAnalytics, GmailFigures, GmailRecipient, gmailAnalytics } from '#contracts/gmail/analytics.ts'
import { asWritten } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { createClock, daysBetween } from './clock.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000
const MAX_DAYS = 400
const EXPORT_PAGE = 1_000

type AnalyticsFilter = z.output<typeof gmailAnalytics.exportRecipients.query>

/** The emails a query asks for. Throws Refusal 400. */
export function toScope(
  workspaceId: string,
  { campaigns, since, until, kind, senderId, step }: AnalyticsFilter,
): store.Scope {
  const end = until ? new Date(until) : new Date()
  const start = since ? new Date(since) : new Date(end.getTime() - 30 * DAY_MS)
  if (start >= end) throw invalid('since', 'must be before the end')
  if (end.getTime() - start.getTime() > MAX_DAYS * DAY_MS)
    throw invalid('since', `must be at most ${MAX_DAYS} days before the end`)
  const ids = campaigns?.split(',')
  if (ids && ids.length > 50) throw invalid('campaigns', 'must have at most 50 ids')
  return { workspaceId, kind, campaigns: ids, senderId, step, since: start, until: end }
}

/** Counts with their rate; null where nothing was counted. */
export const rated = <C extends store.CountedEmails>(row: C): C & GmailFigures => ({
  ...row,
  rate: row.counted > 0 ? row.engaged / row.counted : null,
})

/** Open rate or click rate of Gmail emails, from raw events. Throws Refusal 400. */
export async function showAnalytics(
  db: Db,
  workspaceId: string,
  query: AnalyticsFilter & { timeZone: string },
): Promise<GmailAnalytics> {
  const scope = toScope(workspaceId, query)
  const clock = createClock(query.timeZone)
  if (!clock) throw invalid('timeZone', 'is not a time zone such as Europe/Berlin')
  const sendings = await store.bySending(db, scope)
  const moments = await store.byMoment(db, scope)
  return {
    since: scope.since.toISOString(),
    until: scope.until.toISOString(),
    totals: rated(await store.totals(db, scope)),
    campaigns: (await store.byCampaign(db, scope)).map(({ startedAt, ...row }) => ({
      ...rated(row),
      startedAt: startedAt?.toISOString() ?? null,
    })),
    accounts: (await store.byAccount(db, scope)).map(rated),
    steps: (await store.byStep(db, scope)).map(rated),
    days: countByDay(scope, clock, sendings, moments),
    hours: countByHour(clock, sendings, moments),
    week: countByWeek(clock, moments),
    links:
      scope.kind === 'click' ? (await store.byLink(db, scope)).map((row) => ({ ...row, url: asWritten(row.url) })) : [],
    choices: await store.choices(db, workspaceId),
  }
}

type Clock = NonNullable<ReturnType<typeof createClock>>
type Sending = Awaited<ReturnType<typeof store.bySending>>[number]
type Happening = Awaited<ReturnType<typeof store.byMoment>>[number]

/** Every day of the range. Of what happened after it, as recipients open late, nothing is skipped of the totals but here. */
function countByDay({ since, until }: store.Scope, clock: Clock, sendings: Sending[], moments: Happening[]) {
  const dayAt = (at: Date) => clock(Math.floor(at.getTime() / QUARTER_MS)).day
  const days = new Map(
    daysBetween(dayAt(since), dayAt(until)).map((day) => [day, { day, emails: 0, human: 0, machine: 0 }]),
  )
  for (const { quarter, counted, unknown } of sendings) {
    const day = days.get(clock(quarter).day)
    if (day) day.emails += counted + unknown
  }
  for (const { quarter, human, machine } of moments) {
    const day = days.get(clock(quarter).day)
    if (!day) continue
    day.human += human
    day.machine += machine
  }
  return [...days.values()]
}

function countByHour(clock: Clock, sendings: Sending[], moments: Happening[]) {
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    ...{ hour, counted: 0, unknown: 0, engaged: 0, human: 0, machine: 0 },
  }))
  for (const { quarter, counted, unknown, engaged } of sendings) {
    const hour = hours[clock(quarter).hour]
    if (!hour) continue
    hour.counted += counted
    hour.unknown += unknown
    hour.engaged += engaged
  }
  for (const { quarter, human, machine } of moments) {
    const hour = hours[clock(quarter).hour]
    if (!hour) continue
    hour.human += human
    hour.machine += machine
  }
  return hours.map(rated)
}

/** Hours of the week in which people did something, from Monday on. */
function countByWeek(clock: Clock, moments: Happening[]) {
  const week = new Map<number, number>()
  for (const { quarter, human } of moments) {
    if (human === 0) continue
    const { day, hour } = clock(quarter)
    // Monday is 0.
    const at = ((new Date(day).getUTCDay() + 6) % 7) * 24 + hour
    week.set(at, (week.get(at) ?? 0) + human)
  }
  return [...week]
    .sort(([a], [b]) => a - b)
    .map(([at, human]) => ({ weekday: Math.floor(at / 24) + 1, hour: at % 24, human }))
}

const toRecipient = ({ sentAt, firstAt, lastAt, name, links, ...row }: store.RecipientRow): GmailRecipient => ({
  ...row,
  name: name ?? '',
  sentAt: sentAt.toISOString(),
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
  links: links.map(asWritten),
})

/** One page of the people who opened or clicked; a cursor is the last email's id. Throws Refusal 400. */
export async function listRecipients(
  db: Db,
  workspaceId: string,
  query: AnalyticsFilter & { limit: number; cursor?: string | undefined },
) {
  const scope = toScope(workspaceId, query)
  const rows = await store.listRecipients(db, scope, { limit: query.limit + 1, before: query.cursor })
  const { items: shown, nextCursor } = takePage(rows, query.limit, (row) => row.messageId)
  return {
    items: shown.map(toRecipient),
    nextCursor,
    total: (await store.totals(db, scope)).engaged,
  }
}

/** The same as pages of rows. Throws Refusal 400 before the first. */
export function exportRecipients(db: Db, workspaceId: string, query: AnalyticsFilter): AsyncGenerator<string[][]> {
  const scope = toScope(workspaceId, query)
  return exportPages(db, scope)
}

async function* exportPages(db: Db, scope: store.Scope): AsyncGenerator<string[][]> {
  const did = scope.kind === 'open' ? 'opened' : 'clicked'
  const head = ['address', 'name', 'campaign', 'step', 'account', 'sent', `first ${did}`, `last ${did}`]
  const rest = [`times ${did} by people`, 'times by machines', ...(scope.kind === 'click' ? ['links'] : [])]
  yield [[...head, ...rest]]
  let before: string | undefined
  for (;;) {
    const rows = await store.listRecipients(db, scope, { limit: EXPORT_PAGE, before })
    yield rows
      .map(toRecipient)
      .map((one) => [
        ...[one.address, one.name, one.campaign, String(one.step), one.account ?? 'unknown'],
        ...[one.sentAt, one.firstAt, one.lastAt, String(one.times), String(one.machine)],
        ...(scope.kind === 'click' ? [one.links.join(' ')] : []),
      ])
    if (rows.length < EXPORT_PAGE) return
    before = rows.at(-1)?.messageId
  }
}
