import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Forgotten, LeasedJob } from './leases-store.ts'

/** The job goes on elsewhere, or is gone: this run keeps nothing more. */
export class TakenOver extends Error {}

/**
 * Locks a job for the run that holds it, until the transaction ends. All that changes a job's results waits here, so that
 * their revisions are seen in their order. Throws TakenOver.
 */
export async function lockJob(
  db: Db,
  { workspaceId, worker }: Pick<LeasedJob, 'workspaceId' | 'worker'>,
): Promise<void> {
  const row = await db
    .selectFrom('crawlJobs')
    .where('workspaceId', '=', workspaceId)
    .where('worker', '=', worker)
    .where('leasedUntil', 'is not', null)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new TakenOver('The crawl job is in other hands')
}

export interface Counts {
  fetched: number
  /** How the number of pages that wait changes. */
  queued: number
  found: number
  skipped: Record<string, number>
  /** It got on well: what its earlier runs failed at is forgotten. */
  isWell?: boolean
}

/** Adds to the counts of a locked job. */
export async function addCounts(
  db: Db,
  workspaceId: string,
  jobId: string,
  { fetched, queued, found, skipped, isWell }: Counts,
): Promise<void> {
  await sql`update crawl_jobs set pages_fetched = pages_fetched + ${fetched}, pages_queued = greatest(0, pages_queued + ${queued}),
      found = greatest(0, found + ${found}), failures = case when ${isWell ?? false} then 0 else failures end,
      skipped = skipped || coalesce((select jsonb_object_agg(key, coalesce((skipped ->> key)::int, 0) + value::int)
        from jsonb_each_text(${JSON.stringify(skipped)}::jsonb)), '{}')
    where workspace_id = ${workspaceId} and id = ${jobId}`.execute(db)
}

/** Drops what was found on a host, with and without www., and remembers that it forbids collecting. Returns how much was dropped. */
export async function dropHost(db: Db, workspaceId: string, jobId: string, forgotten: Forgotten): Promise<number> {
  const result = await sql`delete from crawl_results where workspace_id = ${workspaceId} and job_id = ${jobId}
    and regexp_replace(split_part(source_url, '/', 3), '^www\\.', '') = ${forgotten.host.replace(/^www\./, '')}`.execute(
    db,
  )
  await sql`update crawl_jobs set forgotten = forgotten || ${JSON.stringify([forgotten])}::jsonb
    where workspace_id = ${workspaceId} and id = ${jobId}`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Writes down what DNS says of the domain of these results. */
export async function setMx(
  db: Db,
  workspaceId: string,
  jobId: string,
  ids: string[],
  mx: 'yes' | 'no' | 'unknown',
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const job = await db
      .selectFrom('crawlJobs')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', jobId)
      .select('id')
      .forUpdate()
      .executeTakeFirst()
    if (!job) return
    // Read first: spread tables take no next number in an update.
    const { rows } = await sql<{ revision: string }>`
      select nextval('crawl_revision') as revision from generate_series(1, ${ids.length}::int)`.execute(db)
    await sql`update crawl_results r set mx = ${mx}, revision = n.revision
      from unnest(${ids}::bigint[], ${rows.map(({ revision }) => revision)}::bigint[]) as n (id, revision)
      where r.workspace_id = ${workspaceId} and r.job_id = ${jobId} and r.id = n.id and r.mx <> ${mx}`.execute(db)
  })
}
