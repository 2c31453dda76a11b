import { isTimeZone } from '#contracts/time-zone.ts'
import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { findCodeMeaning } from '#server/adapters/whatsapp/codes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { CURRENCY, messagePrice, PRICES_OF } from './prices.ts'
import * as store from './store.ts'

const DAY = 86_400_000
const MAX_DAYS = 400

interface ReportQuery {
  accountId?: string | undefined
  campaignId?: string | undefined
  template?: string | undefined
  since?: string | undefined
  until?: string | undefined
  step: 'hour' | 'day'
  timeZone: string
}

function toRange(
  workspaceId: string,
  { accountId, campaignId, template, since, until, step, timeZone }: ReportQuery,
): store.ReportRange {
  if (!isTimeZone(timeZone)) throw invalid('timeZone', 'is not a time zone such as Europe/Berlin')
  const end = until ? new Date(until) : new Date()
  const start = since ? new Date(since) : new Date(end.getTime() - 30 * DAY)
  if (start >= end) throw invalid('since', 'must be before the end')
  if (end.getTime() - start.getTime() > (step === 'hour' ? 31 : MAX_DAYS) * DAY)
    throw invalid(
      'since',
      step === 'hour' ? 'must be at most 31 days ago with the step hour' : `must be at most ${MAX_DAYS} days ago`,
    )
  return { workspaceId, accountId, campaignId, template, since: start, until: end, step, timeZone }
}

const round = (dollars: number) => Math.round(dollars * 10_000) / 10_000

/** What messages cost; null as soon as one of them has no known price: a part would look like the whole. */
function sumCost(rows: store.Billed[]): number | null {
  let sum = 0
  for (const { category, country, messages } of rows) {
    const price = messagePrice(category, country)
    if (price === null) return null
    sum += price * messages
  }
  return round(sum)
}

function grouped(rows: store.Billed[], toKey: (row: store.Billed) => string) {
  const groups = Map.groupBy(rows, toKey)
  return [...groups]
    .map(([key, all]) => ({ key, messages: all.reduce((sum, one) => sum + one.messages, 0), cost: sumCost(all) }))
    .toSorted((a, b) => b.messages - a.messages)
}

function costs(rows: store.Billed[]): WhatsAppStats['cost'] {
  const unpriced = rows.filter((row) => messagePrice(row.category, row.country) === null)
  return {
    currency: CURRENCY,
    total: sumCost(rows),
    unpriced: unpriced.reduce((sum, one) => sum + one.messages, 0),
    byCategory: grouped(rows, (row) => row.category ?? 'unknown').map(({ key, ...rest }) => ({
      category: key,
      ...rest,
    })),
    byCountry: grouped(rows, (row) => row.country ?? 'unknown').map(({ key, ...rest }) => ({ country: key, ...rest })),
    pricesOf: PRICES_OF,
  }
}

type Step = WhatsAppStats['timeline'][number]

function buildTimeline(
  all: Date[],
  steps: Awaited<ReturnType<typeof store.timeline>>,
  stops: Awaited<ReturnType<typeof store.optOuts>>,
): Step[] {
  const empty = { tried: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0, optedOut: 0 }
  const found = new Map<string, Partial<Step>>(steps.map(({ at, ...row }) => [at.toISOString(), row]))
  const stopped = new Map(stops.map(({ at, people }) => [at.toISOString(), people]))
  return all.map((step) => {
    const at = step.toISOString()
    return { ...empty, ...found.get(at), optedOut: stopped.get(at) ?? 0, at }
  })
}

/** What became of WhatsApp messages in a range of time. */
export async function whatsAppStats(db: Db, workspaceId: string, query: ReportQuery): Promise<WhatsAppStats> {
  const range = toRange(workspaceId, query)
  const stops = await store.optOuts(db, range)
  const byCampaign = Map.groupBy(await store.billed(db, range, 'campaign_id'), (row) => row.name ?? '')
  const byTemplate = Map.groupBy(await store.billed(db, range, 'template_name'), (row) => row.name ?? '')
  return {
    since: range.since.toISOString(),
    until: range.until.toISOString(),
    totals: { ...(await store.totals(db, range)), optedOut: stops.reduce((sum, one) => sum + one.people, 0) },
    timeline: buildTimeline(await store.steps(db, range), await store.timeline(db, range), stops),
    failures: (await store.failures(db, range)).map(({ code, messages }) => ({
      code,
      messages,
      reason: code === null ? 'It could not be handed over.' : findCodeMeaning(code).text,
    })),
    campaigns: (await store.byCampaign(db, range)).map((row) => ({
      ...row,
      cost: sumCost(byCampaign.get(row.id) ?? []),
    })),
    templates: (await store.byTemplate(db, range)).map((row) => ({
      ...row,
      cost: sumCost(byTemplate.get(row.name) ?? []),
    })),
    cost: costs(await store.billed(db, range, null)),
  }
}
