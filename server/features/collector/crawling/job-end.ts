import { sql } from 'kysely'
import type { CrawlEnd } from '#server/crawler/index.ts'
import type { Db } from '#server/platform/db/database.ts'

interface Counts {
  pagesFetched: number
  maxPages: number
  error: number
  other: number
  text: string | null
}

async function readCounts(db: Db, jobId: string): Promise<Counts | undefined> {
  const { rows } = await sql<Counts>`
    select pages_fetched, (settings ->> 'maxPages')::int as max_pages, coalesce((skipped ->> 'error')::int, 0) as error,
      (select coalesce(sum(value::int), 0) from jsonb_each_text(skipped) where key <> 'error')::int as other,
      (select reason_text from crawl_pages p where p.workspace_id = j.workspace_id and p.job_id = j.id and p.state = 'skipped' and p.reason <> 'duplicate' order by p.id limit 1) as text
    from crawl_jobs j where id = ${jobId}`.execute(db)
  return rows[0]
}

/** The state and text of a crawl job that came to its end, by its counts: it failed when not one page could be had for trouble with the sites. */
export async function describeEnd(
  db: Db,
  jobId: string,
  end: CrawlEnd['end'],
): Promise<{ state: 'done' | 'failed'; stateText: string }> {
  const counts = await readCounts(db, jobId)
  if (!counts || counts.pagesFetched > 0)
    return {
      state: 'done',
      stateText:
        end === 'limit' && counts ? `The limit of ${counts.maxPages.toLocaleString('en')} pages was reached.` : '',
    }
  const first = counts.text ?? ''
  const stateText = counts.error + counts.other === 1 && first ? first : `No page could be read. ${first}`.trim()
  return { state: counts.error > 0 && counts.other === 0 ? 'failed' : 'done', stateText }
}
