import { sql } from 'kysely'
import type { CollectorFigures } from '#contracts/collector/collector.ts'
import type { Db } from '#server/platform/db/database.ts'
import { findJob } from './collector.ts'

const POINTS = 60
const LARGEST = 12

interface CountedPages {
  what: 'country' | 'type' | 'site' | 'step' | 'all'
  value: string | null
  count: number
  role: number
  free: number
  disposable: number
  yes: number
  no: number
}

/** Counts in one pass over a job's results; `step` is the part of the time between the first and the last they were found in. */
async function counted(db: Db, workspaceId: string, jobId: string, from: Date, step: number): Promise<CountedPages[]> {
  const { rows } = await sql<CountedPages>`
    select case grouping(country, type, site, step) when 7 then 'country' when 11 then 'type' when 13 then 'site' when 14 then 'step' when 15 then 'all' end as what,
      coalesce(country, type, site, step::text) as value, count(*)::int as count, count(*) filter (where is_role)::int as role,
      count(*) filter (where is_free)::int as free, count(*) filter (where is_disposable)::int as disposable,
      count(*) filter (where mx = 'yes')::int as yes, count(*) filter (where mx = 'no')::int as no
    from (
      select country, type, split_part(source_url, '/', 3) as site, is_role, is_free, is_disposable, mx,
        floor(extract(epoch from found_at - ${from.toISOString()}::timestamptz) * 1000 / ${step}::float8)::int as step
      from crawl_results where job_id = ${jobId} and workspace_id = ${workspaceId}
    ) r group by grouping sets ((country), (type), (site), (step), ())`.execute(db)
  return rows
}

/** A crawl job's results counted for its charts. Throws Refusal 404. */
export async function showFigures(db: Db, workspaceId: string, jobId: string): Promise<CollectorFigures> {
  const job = await findJob(db, workspaceId, jobId)
  const span = await db
    .selectFrom('crawlResults')
    .where('jobId', '=', jobId)
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => [fn.min('foundAt').as('first'), fn.max('foundAt').as('last')])
    .executeTakeFirst()
  const from = span?.first ?? new Date()
  const length = (span?.last ?? from).getTime() - from.getTime()
  // One more, so that the last finding falls into the last step.
  const step = Math.max(1, Math.ceil((length + 1) / POINTS))
  const rows = await counted(db, workspaceId, jobId, from, step)
  const groups = (what: CountedPages['what']) =>
    rows
      .filter((row) => row.what === what)
      .sort((a, b) => b.count - a.count)
      .slice(0, LARGEST)
      .map(({ value, count }) => ({ value, count }))
  const steps = rows.filter((row) => row.what === 'step').sort((a, b) => Number(a.value) - Number(b.value))
  let found = 0
  const series = steps.map((row) => {
    found += row.count
    const end = from.getTime() + (Number(row.value) + 1) * step - 1
    return { at: new Date(Math.min(end, from.getTime() + length)).toISOString(), found }
  })
  const isPhone = job.kind === 'phone'
  const all = rows.find((row) => row.what === 'all')
  const number = (key: 'count' | 'role' | 'free' | 'disposable' | 'yes' | 'no') => (isPhone ? 0 : (all?.[key] ?? 0))
  const [yes, no] = [number('yes'), number('no')]
  return {
    series,
    countries: isPhone ? groups('country') : [],
    types: isPhone ? groups('type') : [],
    sites: groups('site'),
    role: number('role'),
    free: number('free'),
    disposable: number('disposable'),
    mx: { yes, no, unknown: number('count') - yes - no },
  }
}
