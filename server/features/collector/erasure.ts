import { sql } from 'kysely'
import { anySpelling, type ErasedAddresses, without } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Deletes what was found of a person, and takes them out of what stands around other findings. */
export async function eraseFromResults(db: Db, who: ErasedAddresses): Promise<boolean> {
  const { workspaceId, emailKey, phone } = who
  await sql`update crawl_results set context = ${without(sql`context`, who)} where workspace_id = ${workspaceId}
    and job_id in (select id from crawl_jobs where workspace_id = ${workspaceId}) and context ~* ${anySpelling(who)}`.execute(
    db,
  )
  const values = [emailKey, phone, who.email?.toLowerCase()].filter((text) => text)
  await sql`
    with gone as (
      delete from crawl_results where workspace_id = ${workspaceId}
        and job_id in (select id from crawl_jobs where workspace_id = ${workspaceId})
        and split_part(lower(value), ';', 1) = any(${values}::text[]) returning job_id
    ) update crawl_jobs j set found = greatest(0, found - gone.n) from (select job_id, count(*)::int as n from gone group by job_id) gone
      where j.id = gone.job_id`.execute(db)
  return false
}
