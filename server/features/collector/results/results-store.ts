import { sql } from 'kysely'
import type { z } from 'zod'
import type { collector, ResultSort } from '#contracts/collector/collector.ts'
import type { Finding } from '#server/crawler/types.ts'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'

export interface ResultRow {
  id: string
  value: string
  sourceUrl: string
  pageTitle: string
  context: string
  method: string
  confidence: number
  personName: string
  organization: string
  mx: 'yes' | 'no' | 'unknown'
  isDisposable: boolean
  isRole: boolean
  isFree: boolean
  type: string | null
  country: string | null
  listId: string | null
  foundAt: Date
}

const columns = sql`id, value, source_url, page_title, context, method, confidence, person_name, organization, mx, is_disposable,
  is_role, is_free, type, country, list_id, found_at`

type Query = z.output<typeof collector.results.query>
/** Which results are meant. */
export type Match = Omit<Query, 'cursor' | 'limit' | 'sort' | 'order'>
/** A page of those that match: its order, and where the page before ended. */
type ResultPageQuery = Match & Pick<Query, 'limit' | 'sort' | 'order'> & { after?: Place }

/** The place of a row in its order: what it is sorted by, and its id. */
export interface Place {
  key: string | number
  id: string
}

// Hidden from the planner: it would take the workspace for a two-hundredth of the job, and sort what an index has in order.
const owned = (workspaceId: string) => sql`coalesce(workspace_id = ${workspaceId}, false)`

/** Ways in which an owner hid a contact from robots. */
const HIDDEN = ['encoded', 'script', 'words']

function matching(filter: Match) {
  const parts = [sql`true`]
  const pattern = filter.q?.trim() ? holding(filter.q.trim().normalize('NFC')) : undefined
  if (pattern) parts.push(sql`search like ${pattern}`)
  if (filter.role) parts.push(filter.role === 'role' ? sql`is_role` : sql`not is_role`)
  if (filter.mx) parts.push(sql`mx = ${filter.mx}`)
  // Rounded here: PostgreSQL refuses a number too small for a real, in the middle of an export.
  if (filter.minConfidence !== undefined) parts.push(sql`confidence >= ${Math.fround(filter.minConfidence)}::real`)
  if (filter.open === 'true') parts.push(sql`method <> all(${HIDDEN}::text[])`)
  if (filter.country) parts.push(sql`country = ${filter.country.toUpperCase()}`)
  if (filter.type) parts.push(sql`type = ${filter.type}`)
  return sql.join(parts, sql` and `)
}

/** What orders a table of results; `beyond` is what lies behind a place in it. Each order has its index. */
function ordered(sort: z.infer<typeof ResultSort>, order: 'asc' | 'desc', after: Place | undefined) {
  const way = sql.raw(order)
  const than = sql.raw(order === 'asc' ? '>' : '<')
  const by = {
    found: { order: sql`id ${way}`, beyond: after && sql`id ${than} ${after.id}` },
    // A value occurs once: it needs no id to tell rows apart.
    value: { order: sql`lower(value) ${way}`, beyond: after && sql`lower(value) ${than} ${after.key}` },
    confidence: {
      order: sql`confidence ${way}, id ${way}`,
      beyond: after && sql`(confidence, id) ${than} (${after.key}::real, ${after.id}::bigint)`,
    },
    source: {
      order: sql`source_url ${way}, id ${way}`,
      beyond: after && sql`(source_url, id) ${than} (${after.key}, ${after.id}::bigint)`,
    },
  }[sort]
  return { order: by.order, beyond: by.beyond ?? sql`true` }
}

/** The place of a row in an order, for the page behind it. */
export function toResultPlace(row: ResultRow, sort: z.infer<typeof ResultSort>): Place {
  const keys = { found: row.id, value: row.value.toLowerCase(), confidence: row.confidence, source: row.sourceUrl }
  return { key: keys[sort], id: row.id }
}

/** One page of results along an index: no row before it is counted or skipped. */
export async function resultPage(
  db: Db,
  workspaceId: string,
  jobId: string,
  page: ResultPageQuery,
): Promise<ResultRow[]> {
  const { order, beyond } = ordered(page.sort, page.order, page.after)
  const { rows } = await sql<ResultRow>`
    select ${columns} from crawl_results
    where job_id = ${jobId} and ${owned(workspaceId)} and ${beyond} and ${matching(page)}
    order by ${order} limit ${page.limit}`.execute(db)
  return rows
}

export async function countResults(db: Db, workspaceId: string, jobId: string, filter: Match): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from crawl_results
    where job_id = ${jobId} and ${owned(workspaceId)} and ${matching(filter)}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** Results that are new or changed since a revision, with the revision they have now; the oldest change first. */
export async function changedResults(
  db: Db,
  workspaceId: string,
  jobId: string,
  since: string,
  limit: number,
): Promise<(ResultRow & { revision: string })[]> {
  const { rows } = await sql<ResultRow & { revision: string }>`
    select ${columns}, revision from crawl_results
    where job_id = ${jobId} and ${owned(workspaceId)} and revision > ${since} order by revision limit ${limit}`.execute(
    db,
  )
  return rows
}

/** The revision behind which the newest `count` changes lie. */
export async function revisionBefore(db: Db, workspaceId: string, jobId: string, count: number): Promise<string> {
  const row = await db
    .selectFrom('crawlResults')
    .where('workspaceId', '=', workspaceId)
    .where('jobId', '=', jobId)
    .select('revision')
    .orderBy('revision', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  return row?.revision ?? '0'
}

export interface NewResult extends Omit<Finding, 'kind' | 'name'> {
  personName: string
  sourceUrl: string
  pageTitle: string
  isDisposable: boolean
  isRole: boolean
  isFree: boolean
}

/**
 * Keeps findings, each value once: a page that says it more surely takes the place of the one before. No two may share a
 * value. Returns the rows that are new or changed.
 */
export async function upsertResults(
  db: Db,
  workspaceId: string,
  jobId: string,
  results: NewResult[],
): Promise<{ id: string; value: string; added: boolean }[]> {
  if (results.length === 0) return []
  const column = (key: keyof NewResult) => results.map((result) => result[key] ?? null)
  const { rows } = await sql<{ id: string; value: string; added: boolean }>`
    insert into crawl_results as r (workspace_id, job_id, value, source_url, page_title, context, method, confidence, person_name,
      organization, is_disposable, is_role, is_free, type, country)
    select ${workspaceId}, ${jobId}, * from unnest(${column('value')}::text[], ${column('sourceUrl')}::text[], ${column('pageTitle')}::text[],
      ${column('context')}::text[], ${column('method')}::text[], ${column('confidence')}::real[], ${column('personName')}::text[],
      ${column('organization')}::text[], ${column('isDisposable')}::boolean[], ${column('isRole')}::boolean[], ${column('isFree')}::boolean[],
      ${column('type')}::text[], ${column('country')}::text[])
    on conflict (workspace_id, job_id, lower(value)) do update set source_url = excluded.source_url, page_title = excluded.page_title,
      context = excluded.context, method = excluded.method, confidence = excluded.confidence,
      person_name = case when excluded.person_name = '' then r.person_name else excluded.person_name end,
      organization = case when excluded.organization = '' then r.organization else excluded.organization end,
      type = coalesce(excluded.type, r.type), country = coalesce(excluded.country, r.country),
      revision = excluded.revision
    where excluded.confidence > r.confidence
    returning id, value, xmax = 0 as added`.execute(db)
  return rows
}

/** Deletes some results of a job; returns how many. */
export async function deleteResults(db: Db, workspaceId: string, jobId: string): Promise<number> {
  const result =
    await sql`delete from crawl_results where workspace_id = ${workspaceId} and job_id = ${jobId} and id = any(array(
    select id from crawl_results where workspace_id = ${workspaceId} and job_id = ${jobId} limit 5000))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Results that match in the order they came, after an id. */
export function resultsFrom(db: Db, workspaceId: string, jobId: string, filter: Match, after: string, limit: number) {
  const place = { key: after, id: after }
  return resultPage(db, workspaceId, jobId, { ...filter, sort: 'found', order: 'asc', limit, after: place })
}

/** Those of these results that are the job's. */
export async function resultsAmong(
  db: Db,
  workspaceId: string,
  jobId: string,
  filter: Match,
  ids: string[],
): Promise<ResultRow[]> {
  const { rows } = await sql<ResultRow>`
    select ${columns} from crawl_results
    where job_id = ${jobId} and ${owned(workspaceId)} and id = any(${ids}::bigint[]) and ${matching(filter)} order by id`.execute(
    db,
  )
  return rows
}

export async function countAmong(db: Db, workspaceId: string, jobId: string, ids: string[]): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from crawl_results
    where job_id = ${jobId} and ${owned(workspaceId)} and id = any(${ids}::bigint[])`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** Notes the list that these results were added to last. */
export async function markListed(
  db: Db,
  workspaceId: string,
  jobId: string,
  ids: string[],
  listId: string,
): Promise<void> {
  await sql`update crawl_results set list_id = ${listId}
    where workspace_id = ${workspaceId} and job_id = ${jobId} and id = any(${ids}::bigint[]) and list_id is distinct from ${listId}`.execute(
    db,
  )
}

/** Addresses of a job about whose domain nothing is known. */
export function unaskedAddresses(db: Db, workspaceId: string, jobId: string) {
  return db
    .selectFrom('crawlResults')
    .where('workspaceId', '=', workspaceId)
    .where('jobId', '=', jobId)
    .where('mx', '=', 'unknown')
    .select(['id', 'value'])
    .execute()
}
