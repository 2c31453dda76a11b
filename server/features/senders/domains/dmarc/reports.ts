import type { DmarcSummary } from '#contracts/senders/domains.ts'
import type { AggregateReport } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { ed25519Selector } from '../keys.ts'
import { domainById, findKeys } from '../store.ts'
import { buildDmarcAddress } from './report-address.ts'
import { readNames } from './reverse-names.ts'
import * as reports from './store.ts'

/** Reports about one domain within a day, and rows of one of them, the largest: nobody vouches for who reports. */
const MAX_A_DAY = 200
const MAX_ROWS = 1_000
/** Addresses of a summary. */
const MAX_SOURCES = 100

/**
 * Stores a report about a sending domain, once for each reporter and id, in the transaction `db`. Returns false where it is about
 * another domain.
 */
export async function takeAggregateReport(
  db: Db,
  domain: reports.ReportedDomain,
  report: AggregateReport,
): Promise<boolean> {
  if (report.domain !== domain.domain && !report.domain.endsWith(`.${domain.domain}`)) return false
  if ((await reports.countRecent(db, domain)) >= MAX_A_DAY) return true
  const id = await reports.insertReport(db, domain, report)
  if (id === undefined) return true
  const keys = await findKeys(db, domain.workspaceId, [domain.id])
  const own = new Set(
    keys.flatMap(({ selector }) =>
      [selector, ed25519Selector(selector)].map((name) => `${name}._domainkey.${domain.domain}`.toLowerCase()),
    ),
  )
  await reports.insertRows(db, domain.workspaceId, id, addUp(report, own))
  return true
}

/** The rows of a report, those alike as one, the largest first. */
function addUp({ rows }: AggregateReport, own: ReadonlySet<string>): reports.StoredRow[] {
  const found = new Map<string, reports.StoredRow>()
  for (const { signatures, ...row } of rows) {
    const isOurs = signatures.some((one) => own.has(one))
    const key = [row.sourceIp, row.headerFrom, row.spfAligned, row.dkimAligned, row.disposition, isOurs].join(' ')
    const known = found.get(key)
    if (known) known.messages += row.messages
    else found.set(key, { ...row, isOurs })
  }
  return [...found.values()].toSorted((a, b) => b.messages - a.messages).slice(0, MAX_ROWS)
}

/** Who sends as a domain, and whether it passes, by the reports of the last days. Throws Refusal 404. */
export async function showDmarc(
  { db, config, nameServers }: Pick<Services, 'db' | 'config' | 'nameServers'>,
  workspaceId: string,
  id: string,
  days: number,
): Promise<DmarcSummary> {
  const row = await domainById(db, workspaceId, id)
  if (!row) throw notFound('Sending domain')
  const domain = { workspaceId, id, domain: row.domain }
  const [all, sources, byDay, reporters] = [
    await reports.sumAll(db, domain, days),
    await reports.sumSources(db, domain, days, MAX_SOURCES),
    await reports.sumDays(db, domain, days),
    await reports.findReporters(db, domain, days),
  ]
  const names = await readNames(
    nameServers.servers,
    sources.map(({ sourceIp }) => sourceIp),
  )
  const { sources: sourceCount, ...totals } = all
  return {
    domain: row.domain,
    days,
    address: buildDmarcAddress(config, id) ?? null,
    reports: reporters.reduce((sum, { reports: count }) => sum + count, 0),
    reporters: reporters.map(({ lastAt, ...one }) => ({ ...one, lastAt: lastAt.toISOString() })),
    totals,
    sourceCount,
    sources: sources.map((source) => ({
      ...source,
      headerFrom: source.headerFrom.filter(Boolean),
      name: names.get(source.sourceIp) ?? null,
    })),
    timeline: byDay,
  }
}
