import { isAtOrBelow } from '#contracts/email-address.ts'
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

/** Rows of a report, the largest. */
const MAX_ROWS = 1_000
/**
 * Reports about one domain within a day. Those with nobody to vouch for them have room of their own, and so have those of large
 * receivers: what strangers send crowds out neither.
 */
const MAX_A_DAY = { unverified: 100, ofOneName: 10, verified: 200, ofOneAuthor: 20, ofLarge: 60 }
/** Receivers whose reports matter most, by the domain that signs them. */
const LARGE = [
  ...[
    'google.com',
    'yahoo.com',
    'yahooinc.com',
    'microsoft.com',
    'outlook.com',
    'apple.com',
    'mail.ru',
    'gmx.net',
    'web.de',
  ],
  ...['comcast.net', 'zoho.com', 'fastmail.com', 'mimecast.org', 'proofpoint.com', 'amazonses.com'],
]
/** Addresses of a summary. */
const MAX_SOURCES = 100

/**
 * Stores a report about a sending domain, once for each reporter and id, in the transaction `db`. `author`: the domain that vouches
 * for it; null: none. Returns false where it is about another domain.
 */
export async function takeAggregateReport(
  db: Db,
  domain: reports.ReportedDomain,
  report: AggregateReport,
  author: string | null,
): Promise<boolean> {
  if (!isAtOrBelow(report.domain, domain.domain)) return false
  if (!(await hasRoom(db, domain, report, author))) return true
  if (author !== null) await reports.deleteUnverified(db, domain, report)
  const id = await reports.insertReport(db, domain, report, author)
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

async function hasRoom(
  db: Db,
  domain: reports.ReportedDomain,
  { reporter }: AggregateReport,
  author: string | null,
): Promise<boolean> {
  const recent = await reports.countRecent(db, domain, { reporter, author, large: LARGE })
  if (author === null) return recent.unverified < MAX_A_DAY.unverified && recent.ofName < MAX_A_DAY.ofOneName
  if (LARGE.includes(author)) return recent.ofAuthor < MAX_A_DAY.ofLarge
  return recent.verified < MAX_A_DAY.verified && recent.ofAuthor < MAX_A_DAY.ofOneAuthor
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
  const [all, sources, byDay, reporters, unverified] = [
    await reports.sumAll(db, domain, days),
    await reports.sumSources(db, domain, days, MAX_SOURCES),
    await reports.sumDays(db, domain, days),
    await reports.findReporters(db, domain, days),
    await reports.sumUnverified(db, domain, days),
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
    unverified: {
      reports: reporters.reduce((sum, { unverified: count }) => sum + count, 0),
      messages: unverified,
    },
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
