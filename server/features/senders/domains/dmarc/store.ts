/** What receivers report of emails from sending domains. */
import { sql } from 'kysely'
import type { AggregateReport, AggregateRow } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A sending domain that reports are about. */
export interface ReportedDomain {
  workspaceId: string
  id: string
  domain: string
}

/** The sending domain of an id, of whichever workspace; undefined: there is none. */
export async function findReportedDomain(db: Db, id: string): Promise<ReportedDomain | undefined> {
  return db.selectFrom('sendingDomains').where('id', '=', id).select(['workspaceId', 'id', 'domain']).executeTakeFirst()
}

/** The nearest sending domain of a workspace at or above a name; undefined: none. */
export async function findCoveringDomain(
  db: Db,
  workspaceId: string,
  name: string,
): Promise<ReportedDomain | undefined> {
  const { rows } = await sql<ReportedDomain>`
    select workspace_id, id, domain from sending_domains
    where workspace_id = ${workspaceId} and (${name} = domain or right(${name}, length(domain) + 1) = '.' || domain)
    order by length(domain) desc limit 1`.execute(db)
  return rows[0]
}

/** Reports about a domain that came within a day: nobody vouches for `unverified`, large receivers are not in `verified`. */
interface RecentReports {
  unverified: number
  ofName: number
  verified: number
  ofAuthor: number
}

/** Counts them; those of the same name among the unverified, and those of the same author. */
export async function countRecent(
  db: Db,
  { workspaceId, id }: ReportedDomain,
  { reporter, author, large }: { reporter: string; author: string | null; large: readonly string[] },
): Promise<RecentReports> {
  const { rows } = await sql<RecentReports>`
    select count(*) filter (where author is null)::int as unverified,
      count(*) filter (where author is null and reporter = ${reporter})::int as of_name,
      count(*) filter (where author <> all(${large}::text[]))::int as verified,
      count(*) filter (where author = ${author}::text)::int as of_author
    from dmarc_reports where workspace_id = ${workspaceId} and domain_id = ${id} and received_at > now() - interval '1 day'`.execute(
    db,
  )
  return rows[0] ?? { unverified: 0, ofName: 0, verified: 0, ofAuthor: 0 }
}

/** Deletes a report with the name and id of one that is vouched for: a forgery of it, or it came without its signature before. */
export async function deleteUnverified(
  db: Db,
  { workspaceId, id }: ReportedDomain,
  { reporter, reportId }: AggregateReport,
): Promise<void> {
  await db
    .deleteFrom('dmarcReports')
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', id)
    .where('reporter', '=', reporter)
    .where('reportId', '=', reportId)
    .where('author', 'is', null)
    .execute()
}

/** Stores a report; undefined: it came before. Returns its id. */
export async function insertReport(
  db: Db,
  { workspaceId, id }: ReportedDomain,
  { reporter, reportId, begins, ends }: AggregateReport,
  author: string | null,
): Promise<string | undefined> {
  const row = await db
    .insertInto('dmarcReports')
    .values({
      ...{ workspaceId, domainId: id, reporter, reportId, author },
      beginsAt: new Date(begins),
      endsAt: new Date(ends),
    })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'domainId', 'reporter', 'reportId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export type StoredRow = Omit<AggregateRow, 'signatures'> & { isOurs: boolean }

/** Stores the rows of a report. */
export async function insertRows(db: Db, workspaceId: string, reportId: string, rows: StoredRow[]): Promise<void> {
  await sql`
    insert into dmarc_rows (workspace_id, report_id, source_ip, header_from, messages, spf_aligned, dkim_aligned, disposition, is_ours)
    select ${workspaceId}, ${reportId}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r ("sourceIp" text, "headerFrom" text, messages bigint, "spfAligned" boolean, "dkimAligned" boolean, disposition text, "isOurs" boolean)`.execute(
    db,
  )
}

/** Counts of emails, as the database adds them up. */
interface Sums {
  messages: number
  spfAligned: number
  dkimAligned: number
  passed: number
  ours: number
  quarantined: number
  rejected: number
}

const sums = sql`
  coalesce(sum(r.messages), 0)::float8 as messages,
  coalesce(sum(r.messages) filter (where r.spf_aligned), 0)::float8 as spf_aligned,
  coalesce(sum(r.messages) filter (where r.dkim_aligned), 0)::float8 as dkim_aligned,
  coalesce(sum(r.messages) filter (where r.spf_aligned or r.dkim_aligned), 0)::float8 as passed,
  coalesce(sum(r.messages) filter (where r.is_ours), 0)::float8 as ours,
  coalesce(sum(r.messages) filter (where r.disposition = 'quarantine'), 0)::float8 as quarantined,
  coalesce(sum(r.messages) filter (where r.disposition = 'reject'), 0)::float8 as rejected`

/** Rows of reports that somebody vouches for, or of those that anybody may have written, which count in no figure. */
const within = ({ workspaceId, id }: ReportedDomain, days: number, isVerified = true) => sql`
  from dmarc_reports p join dmarc_rows r on r.workspace_id = p.workspace_id and r.report_id = p.id
  where p.workspace_id = ${workspaceId} and p.domain_id = ${id} and p.ends_at > now() - make_interval(days => ${days})
    and ${isVerified ? sql`p.author is not null` : sql`p.author is null`}`

export type SourceSums = Sums & { sourceIp: string; headerFrom: string[] }

/** The addresses that sent most as a domain. */
export async function sumSources(db: Db, domain: ReportedDomain, days: number, limit: number): Promise<SourceSums[]> {
  const { rows } = await sql<SourceSums>`
    select r.source_ip, (array_agg(distinct r.header_from))[1:3] as header_from, ${sums} ${within(domain, days)}
    group by r.source_ip order by messages desc, r.source_ip limit ${limit}`.execute(db)
  return rows
}

/** The same by day, UTC, of the middle of each report. */
export async function sumDays(db: Db, domain: ReportedDomain, days: number): Promise<(Sums & { day: string })[]> {
  const { rows } = await sql<Sums & { day: string }>`
    select to_char((p.begins_at + (p.ends_at - p.begins_at) / 2) at time zone 'UTC', 'YYYY-MM-DD') as day, ${sums}
    ${within(domain, days)} group by 1 order by 1`.execute(db)
  return rows
}

/** The same of everything, with the number of addresses. */
export async function sumAll(db: Db, domain: ReportedDomain, days: number): Promise<Sums & { sources: number }> {
  const { rows } = await sql<Sums & { sources: number }>`
    select count(distinct r.source_ip)::int as sources, ${sums} ${within(domain, days)}`.execute(db)
  return rows[0] as Sums & { sources: number }
}

/** How many emails reports tell of that nobody vouches for. */
export async function sumUnverified(db: Db, domain: ReportedDomain, days: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(r.messages), 0)::float8 as n ${within(domain, days, false)}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Who reported, how often, and when last. */
export async function findReporters(
  db: Db,
  { workspaceId, id }: ReportedDomain,
  days: number,
): Promise<{ reporter: string; reports: number; unverified: number; lastAt: Date }[]> {
  const { rows } = await sql<{ reporter: string; reports: number; unverified: number; lastAt: Date }>`
    select reporter, count(*)::int as reports, count(*) filter (where author is null)::int as unverified, max(received_at) as last_at
    from dmarc_reports
    where workspace_id = ${workspaceId} and domain_id = ${id} and ends_at > now() - make_interval(days => ${days})
    group by reporter order by reports desc, reporter limit 50`.execute(db)
  return rows
}

/** Deletes reports that are over for so many days, with their rows. */
export async function deleteOldReports(db: Db, days: number): Promise<void> {
  await sql`delete from dmarc_reports where ends_at < now() - make_interval(days => ${days})`.execute(db)
}
