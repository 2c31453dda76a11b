import { z } from 'zod'
import {
  type CollectorKind,
  type CollectorResult,
  type CollectorSkip,
  type collector,
  ResultCursor,
} from '#contracts/collector/collector.ts'
import { normalizeEmail } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { findJob } from '../collector.ts'
import { skippedPages } from '../pages-store.ts'
import * as store from './results-store.ts'

type Query = z.output<typeof collector.results.query>

/** A result as the outside sees it. */
export function presentResult(kind: CollectorKind, row: store.ResultRow): CollectorResult {
  const { mx, isDisposable, isRole, isFree, foundAt, ...rest } = row
  // libphonenumber has judged numbers already.
  const syntax = kind === 'phone' || 'key' in normalizeEmail(row.value)
  return {
    ...rest,
    kind,
    confidence: Math.round(row.confidence * 1_000) / 1_000,
    valid: { syntax, mx, disposable: isDisposable, role: isRole, free: isFree },
    foundAt: foundAt.toISOString(),
  }
}

function placeAt(query: Query): store.Place | undefined {
  if (query.cursor === undefined) return undefined
  const [order, key, id] = query.cursor
  const fits = typeof key === (query.sort === 'confidence' ? 'number' : 'string')
  if (order !== `${query.sort} ${query.order}` || !fits) throw invalid('cursor', 'is not a cursor of this order')
  return { key, id }
}

/** One page of results with the cursor of the next; the first says how many there are in all. */
export async function listResults(db: Db, workspaceId: string, jobId: string, query: Query) {
  const job = await findJob(db, workspaceId, jobId)
  const after = placeAt(query)
  const rows = await store.resultPage(db, workspaceId, jobId, {
    ...query,
    limit: query.limit + 1,
    ...(after && { after }),
  })
  const { items: page, nextCursor } = takePage(rows, query.limit, (last) => {
    const { key, id } = store.toResultPlace(last, query.sort)
    return z.encode(ResultCursor, [`${query.sort} ${query.order}`, key, id])
  })
  const items = page.map((row) => presentResult(job.kind, row))
  if (after) return { items, nextCursor }
  const total = nextCursor === null ? items.length : await store.countResults(db, workspaceId, jobId, query)
  return { items, nextCursor, total }
}

/** One page of the pages that were not read. */
export async function listSkips(db: Db, workspaceId: string, jobId: string, page: Parameters<typeof skippedPages>[3]) {
  await findJob(db, workspaceId, jobId)
  const rows = await skippedPages(db, workspaceId, jobId, { ...page, limit: page.limit + 1 })
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  const items = shown.map(({ url, reason, reasonText, at }) => ({
    url,
    reason: reason as CollectorSkip['reason'],
    text: reasonText,
    at: at.toISOString(),
  }))
  return { items, nextCursor }
}
