import { isSupportedCountry } from 'libphonenumber-js/max'
import type { z } from 'zod'
import { CollectorSkipped, type CollectorState, type CrawlJob, type collector } from '#contracts/collector/collector.ts'
import { startPages } from '#server/crawler/index.ts'
import { requireSome } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { findSite, Turns, toPageRows } from './frontier.ts'
import { queueClearing } from './jobs.ts'
import { insertPages } from './pages-store.ts'
import * as store from './store.ts'

const SHOWN_URLS = 20
/** Refused addresses an answer names. */
const SHOWN_REFUSED = 1_000
const SHOWN_LENGTH = 200
const MAX_OPEN = 50

type NewCrawlJob = z.output<typeof collector.create.body>

const SKIPS = CollectorSkipped.keyof().options
const FINISHED: CollectorState[] = ['done', 'stopped', 'failed']
const atRest: CollectorState[] = ['paused', ...FINISHED]

/** The topic of a process's own notices that something of a job changed; its value is the job's id. */
export const CHANGED = 'collector'

/** Whether a job has ended, or waits for its owner. */
export const isAtRest = (state: CollectorState) => atRest.includes(state)

/** Pages that were not read, by reason. */
export function countSkipped(counts: Record<string, number>): CollectorSkipped {
  return Object.fromEntries(SKIPS.map((reason) => [reason, counts[reason] ?? 0])) as CollectorSkipped
}

/** Pages that will still be asked for: none of a job that ended, and never more than it may. */
export function pagesToGo(row: Pick<store.JobRow, 'state' | 'settings' | 'pagesFetched' | 'pagesQueued'>): number {
  if (FINISHED.includes(row.state)) return 0
  return Math.max(0, Math.min(row.pagesQueued, row.settings.maxPages - row.pagesFetched))
}

/** A job as the outside sees it. */
export function presentJob(row: store.JobRow): CrawlJob {
  const { settings, firstHost, hostCount, workspaceId: _, ...rest } = row
  return {
    ...rest,
    ...settings,
    name: hostCount > 1 ? `${firstHost} and ${hostCount - 1} more` : firstHost,
    pagesQueued: pagesToGo(row),
    skipped: countSkipped(row.skipped),
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

/** The row of a job; a refusal (404) when there is none. */
export async function findJob(db: Db, workspaceId: string, id: string): Promise<store.JobRow> {
  const row = await store.jobById(db, workspaceId, id)
  if (!row) throw notFound('Scrape')
  return row
}

export async function showJob(db: Db, workspaceId: string, id: string): Promise<CrawlJob> {
  return presentJob(await findJob(db, workspaceId, id))
}

export async function listJobs(db: Db, workspaceId: string, page: Parameters<typeof store.jobPage>[2]) {
  const rows = await store.jobPage(db, workspaceId, { ...page, limit: page.limit + 1 })
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  const items = shown.map(presentJob)
  return { items, nextCursor }
}

type Refused = ReturnType<typeof startPages>['refused']

const shown = (refused: Refused): Refused =>
  refused.slice(0, SHOWN_REFUSED).map(({ url, reason }) => ({ url: url.slice(0, SHOWN_LENGTH), reason }))

/** 400 when not one address can be asked for: the first with its reason, all in the details. Of a single one its reason is enough. */
function buildRefusal(refused: Refused): Refusal {
  const [only, ...others] = shown(refused)
  const toMessage = ({ url, reason }: Refused[number]) => (others.length === 0 || !url ? reason : `${url}: ${reason}`)
  const details = shown(refused).map((one) => ({ field: 'urls', message: toMessage(one) }))
  return new Refusal(400, 'invalid', only ? toMessage(only) : 'Enter at least one URL.', { details })
}

/**
 * Queues a crawl job. Throws Refusal 400 when no address can be asked for, 402 when the pages of the month are used up,
 * 409 when too many crawl jobs are open.
 */
export async function createJob(services: Services, workspaceId: string, given: NewCrawlJob) {
  const { db, config, live } = services
  const { kind, country = null, urls: texts, ...limits } = given
  if (country && !isSupportedCountry(country)) throw invalid('country', 'is not a country code, such as DE')
  const { pages, hosts, refused } = startPages(texts, { allow: config.allowPrivate })
  if (pages.length === 0) throw buildRefusal(refused)
  await requireSome(db, workspaceId, 'pages')
  const urls = pages.map(({ url }) => url)
  const settings = { ...limits, urls: urls.slice(0, SHOWN_URLS), country }
  const sites = [...new Set(urls.map(findSite))]
  const id = await db.transaction().execute(async (db) => {
    if ((await store.countOpen(db, workspaceId)) >= MAX_OPEN)
      throw conflict('too_many_jobs', `${MAX_OPEN} scrapes are already queued or running. Wait until one of them ends.`)
    const id = await store.insertJob(db, workspaceId, { kind, settings, hosts, sites, urlCount: urls.length })
    await insertPages(db, workspaceId, id, toPageRows(pages, new Turns()))
    return id
  })
  live.publish(CHANGED, id)
  return { ...(await showJob(db, workspaceId, id)), refused: shown(refused) }
}

async function move(
  services: Services,
  workspaceId: string,
  id: string,
  from: CollectorState[],
  change: Parameters<typeof store.moveJob>[4],
  refusal: string,
): Promise<CrawlJob> {
  const { db, live } = services
  const row = await findJob(db, workspaceId, id)
  if (row.state !== change.state && !(await store.moveJob(db, workspaceId, id, from, change)))
    throw conflict('wrong_state', refusal)
  live.publish(CHANGED, id)
  return showJob(db, workspaceId, id)
}

export function pauseJob(services: Services, workspaceId: string, id: string): Promise<CrawlJob> {
  const refusal = 'The scrape has ended and cannot be paused.'
  return move(services, workspaceId, id, ['queued', 'running'], { state: 'paused' }, refusal)
}

export async function resumeJob(services: Services, workspaceId: string, id: string): Promise<CrawlJob> {
  const row = await findJob(services.db, workspaceId, id)
  if (row.state === 'running') return presentJob(row)
  if (row.state === 'paused') await requireSome(services.db, workspaceId, 'pages')
  const refusal = 'The scrape has ended and cannot be resumed. Start a new one.'
  return move(services, workspaceId, id, ['paused'], { state: 'queued' }, refusal)
}

export function stopJob(services: Services, workspaceId: string, id: string): Promise<CrawlJob> {
  const refusal = 'The scrape has already ended.'
  const change = { state: 'stopped' as const, finishedAt: new Date() }
  return move(services, workspaceId, id, ['queued', 'running', 'paused'], change, refusal)
}

/** Removes a job at rest with its results. Throws Refusal 404, or 409 while it runs. */
export async function removeJob({ db, queue }: Services, workspaceId: string, id: string): Promise<void> {
  await findJob(db, workspaceId, id)
  await db.transaction().execute(async (db) => {
    if (!(await store.deleteJob(db, workspaceId, id)))
      throw conflict('running', 'The scrape is running. Stop it first.')
    await queueClearing(queue, workspaceId, id, db)
  })
}
