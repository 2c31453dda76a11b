import { sql } from 'kysely'
import type { SkipReason } from '#contracts/collector/collector.ts'
import type { Priority } from '#server/crawler/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A page to note, with its place in the order (frontier.ts). */
export interface PageRow {
  hash: Buffer
  url: string
  depth: number
  priority: Priority
  turn: number
}

/** Stores pages that are not known yet; returns the hashes of those that are new. */
export async function insertPages(db: Db, workspaceId: string, jobId: string, pages: PageRow[]): Promise<Buffer[]> {
  if (pages.length === 0) return []
  const { rows } = await sql<{ urlHash: Buffer }>`
    insert into crawl_pages (workspace_id, job_id, url_hash, url, depth, priority, turn)
    select ${workspaceId}, ${jobId}, * from unnest(${pages.map((page) => page.hash)}::bytea[], ${pages.map((page) => page.url)}::text[],
      ${pages.map((page) => page.depth)}::integer[], ${pages.map((page) => page.priority)}::smallint[], ${pages.map((page) => page.turn)}::integer[])
    on conflict (workspace_id, job_id, url_hash) do nothing returning url_hash`.execute(db)
  return rows.map((row) => row.urlHash)
}

/** The next pages in the order to ask in; more than wanted where some are in hand already. */
export async function queuedPages(db: Db, workspaceId: string, jobId: string, limit: number) {
  return db
    .selectFrom('crawlPages')
    .where('workspaceId', '=', workspaceId)
    .where('jobId', '=', jobId)
    .where('state', '=', 'queued')
    .select(['id', 'url', 'depth', 'priority'])
    .orderBy('turn')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export interface SettledPage {
  id: string
  state: 'fetched' | 'skipped'
  reason: SkipReason | ''
  text: string
  hash: Buffer | null
}

/** Keeps what became of pages; returns how many were still queued. */
export async function settlePages(db: Db, workspaceId: string, jobId: string, pages: SettledPage[]): Promise<number> {
  const column = (key: keyof SettledPage) => pages.map((page) => page[key])
  const result = await sql`
    update crawl_pages p set state = o.state, reason = o.reason, reason_text = o.text, content_hash = o.hash, at = now()
    from unnest(${column('id')}::bigint[], ${column('state')}::text[], ${column('reason')}::text[], ${column('text')}::text[], ${column('hash')}::bytea[])
      as o (id, state, reason, text, hash)
    where p.workspace_id = ${workspaceId} and p.job_id = ${jobId} and p.id = o.id and p.id = any(${column('id')}::bigint[]) and p.state = 'queued'`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}

/** Every page a job knows, slice by slice in the order they came: what a run begins with. */
export function knownPages(db: Db, workspaceId: string, jobId: string, after: string, limit: number) {
  return db
    .selectFrom('crawlPages')
    .where('workspaceId', '=', workspaceId)
    .where('jobId', '=', jobId)
    .where('id', '>', after)
    .select(['id', 'url', 'urlHash', 'priority', 'turn', 'contentHash'])
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Pages that were not read, in the order they came; `after` is the last id of the page before. */
export function skippedPages(
  db: Db,
  workspaceId: string,
  jobId: string,
  page: { limit: number; after?: string; reason?: SkipReason },
) {
  const query = db
    .selectFrom('crawlPages')
    .where('workspaceId', '=', workspaceId)
    .where('jobId', '=', jobId)
    .where('state', '=', 'skipped')
    .where('id', '>', page.after ?? '0')
    .select(['id', 'url', 'reason', 'reasonText', 'at'])
    .orderBy('id')
    .limit(page.limit)
  return (page.reason ? query.where('reason', '=', page.reason) : query).execute()
}

/** Deletes some pages of a job; `keepSkipped`: not those a person may ask about. Returns how many. */
export async function deletePages(db: Db, workspaceId: string, jobId: string, keepSkipped = false): Promise<number> {
  const result =
    await sql`delete from crawl_pages where workspace_id = ${workspaceId} and job_id = ${jobId} and id = any(array(
    select id from crawl_pages where workspace_id = ${workspaceId} and job_id = ${jobId} ${keepSkipped ? sql`and state <> 'skipped'` : sql``} limit 5000))`.execute(
      db,
    )
  return Number(result.numAffectedRows ?? 0)
}
