import type { CollectorKind, CollectorResult } from '#contracts/collector/collector.ts'
import type { Db } from '#server/platform/db/database.ts'
import { presentResult } from './results.ts'
import { type Match, resultsFrom } from './results-store.ts'

const PAGE = 2_000

const email = (result: CollectorResult) => [
  result.valid.mx,
  result.valid.role ? 'role' : 'personal',
  result.valid.free ? 'yes' : 'no',
  result.valid.disposable ? 'yes' : 'no',
]
const phone = (result: CollectorResult) => [result.type ?? '', result.country ?? '']

const HEADER: Record<CollectorKind, string[]> = {
  email: ['email', 'domain takes mail', 'address of', 'free mail', 'disposable'],
  phone: ['phone', 'type', 'country'],
}
const COMMON = ['name', 'organization', 'confidence', 'found as', 'source', 'page title', 'context', 'found at']

function toCells(result: CollectorResult): string[] {
  return [
    result.value,
    ...(result.kind === 'email' ? email(result) : phone(result)),
    result.personName,
    result.organization,
    String(result.confidence),
    result.method,
    result.sourceUrl,
    result.pageTitle,
    result.context,
    result.foundAt,
  ]
}

/** The results of a job that match as pages of rows. */
export async function* exportResults(
  db: Db,
  workspaceId: string,
  job: { id: string; kind: CollectorKind },
  filter: Match,
): AsyncGenerator<string[][]> {
  yield [[...HEADER[job.kind], ...COMMON]]
  for (let after = '0'; ; ) {
    const rows = await resultsFrom(db, workspaceId, job.id, filter, after, PAGE)
    if (rows.length > 0) yield rows.map((row) => toCells(presentResult(job.kind, row)))
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? after
  }
}
