/** What becomes of crawl jobs when their workspace is removed. */
import { sql } from 'kysely'
import type { DeleteAll, WorkspacePart } from '#server/features/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Rows a statement: others hardly wait. */
const SLICE = 2_000

/** Stops every job: no further page is read. */
async function stopAll(db: Db, workspaceId: string): Promise<void> {
  await db
    .updateTable('crawlJobs')
    .set({ state: 'stopped', stateText: '', finishedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['queued', 'running', 'paused'])
    .execute()
}

/** Deletes some pages of a job; returns how many. */
async function deleteSomePages(db: Db, workspaceId: string, jobId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from crawl_pages where job_id = ${jobId} and workspace_id = ${workspaceId} and id = any(array(
      select id from crawl_pages where job_id = ${jobId} and workspace_id = ${workspaceId} limit ${SLICE}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes some results of a job; returns how many. */
async function deleteSomeResults(db: Db, workspaceId: string, jobId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from crawl_results where job_id = ${jobId} and workspace_id = ${workspaceId} and id = any(array(
      select id from crawl_results where job_id = ${jobId} and workspace_id = ${workspaceId} limit ${SLICE}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

async function empty(db: Db, workspaceId: string, all: DeleteAll): Promise<void> {
  const jobs = await db.selectFrom('crawlJobs').where('workspaceId', '=', workspaceId).select('id').execute()
  for (const { id } of jobs) {
    await all(() => deleteSomePages(db, workspaceId, id))
    await all(() => deleteSomeResults(db, workspaceId, id))
  }
}

export const collectorRemoval: WorkspacePart = {
  async stop(_services, db, workspaceId) {
    await stopAll(db, workspaceId)
    return () => undefined
  },
  empty,
}
