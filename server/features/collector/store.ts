import { sql } from 'kysely'
import type { CollectorKind, CollectorState } from '#contracts/collector/collector.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What was asked for. `urls`: the first of them, for showing; all are pages of depth 0. */
export interface Settings {
  urls: string[]
  maxPages: number
  maxDepth: number
  subdomains: boolean
  include: string[]
  exclude: string[]
  country: string | null
}

export interface JobRow {
  id: string
  workspaceId: string
  kind: CollectorKind
  settings: Settings
  firstHost: string
  hostCount: number
  urlCount: number
  state: CollectorState
  stateText: string
  pagesFetched: number
  pagesQueued: number
  found: number
  skipped: Record<string, number>
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

const columns = sql`id, workspace_id, kind, settings, hosts[1] as first_host, cardinality(hosts) as host_count, url_count, state,
  state_text, pages_fetched, pages_queued, found, skipped, created_at, started_at, finished_at`

export async function insertJob(
  db: Db,
  workspaceId: string,
  given: { kind: CollectorKind; settings: Settings; hosts: string[]; sites: string[]; urlCount: number },
): Promise<string> {
  const row = await db
    .insertInto('crawlJobs')
    .values({ workspaceId, ...given, settings: JSON.stringify(given.settings), pagesQueued: given.urlCount })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function jobById(db: Db, workspaceId: string, id: string): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select ${columns} from crawl_jobs where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  return rows[0]
}

/** Newest first; `before` is the last id of the page before. */
export async function jobPage(
  db: Db,
  workspaceId: string,
  page: { limit: number; before?: string; kind?: CollectorKind },
): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select ${columns} from crawl_jobs where workspace_id = ${workspaceId}
      ${page.before ? sql`and id < ${page.before}` : sql``} ${page.kind ? sql`and kind = ${page.kind}` : sql``}
    order by id desc limit ${page.limit}`.execute(db)
  return rows
}

/** Jobs of a workspace that are not at rest. */
export async function countOpen(db: Db, workspaceId: string): Promise<number> {
  const { n } = await db
    .selectFrom('crawlJobs')
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['queued', 'running'])
    .select(sql<string>`count(*)`.as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Moves a job to another state if it is in one of `from`. Who crawls it sees it at the next look and lets go. */
export async function moveJob(
  db: Db,
  workspaceId: string,
  id: string,
  from: CollectorState[],
  change: { state: CollectorState; stateText?: string; finishedAt?: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('crawlJobs')
    .set({ stateText: '', ...change })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes a job that is at rest and that nobody crawls any more; returns whether it did. Its pages and results are cleared away afterwards. */
export async function deleteJob(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db
    .deleteFrom('crawlJobs')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', ['paused', 'done', 'stopped', 'failed'])
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Pauses what a workspace collects, with the reason. */
export async function pauseJobs(db: Db, workspaceId: string, stateText: string): Promise<void> {
  await db
    .updateTable('crawlJobs')
    .set({ state: 'paused', stateText })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['queued', 'running'])
    .execute()
}

/** Addresses and numbers found by the jobs of a workspace begun since then. */
export async function foundSince(db: Db, workspaceId: string, since: Date): Promise<number> {
  const { n } = await db
    .selectFrom('crawlJobs')
    .where('workspaceId', '=', workspaceId)
    .where('createdAt', '>=', since)
    .select(sql<string>`coalesce(sum(found), 0)`.as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Jobs that ended so many days ago and whose pages are still there. */
export async function finishedBefore(db: Db, days: number): Promise<{ workspaceId: string; id: string }[]> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    select workspace_id, id from crawl_jobs j where finished_at < now() - make_interval(days => ${days}) and (leased_until is null or leased_until < now())
      and exists (select 1 from crawl_pages p where p.workspace_id = j.workspace_id and p.job_id = j.id and p.state <> 'skipped')`.execute(
    db,
  )
  return rows
}
