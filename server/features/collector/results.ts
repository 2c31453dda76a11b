import { z } from 'zod'
import type { CollectorKind, CollectorResult, CollectorSkip, collector } from '#contracts/collector.ts'
import { Id } from '#contracts/values.ts'
import { normaliseEmail } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { findJob } from './collector.ts'
import { skippedPages } from './pages-store.ts'
import * as store from './results-store.ts'

type Query = z.output<typeof collector.results.query>

/** What an answer's cursor holds: the order it belongs to, and the place the page ended at. */
const Cursor = z.tuple([z.string(), z.union([z.string(), z.number()]), Id])

/** A result as the outside sees it. */
export function presentResult(kind: CollectorKind, row: store.ResultRow): CollectorResult {
  const { mx, isDisposable, isRole, isFree, foundAt, ...rest } = row
  // libphonenumber has judged numbers already.
  const syntax = kind === 'phone' || 'key' in normaliseEmail(row.value)
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
  try {
    const [order, key, id] = Cursor.parse(JSON.parse(Buffer.from(query.cursor, 'base64url').toString()))
    const fits = typeof key === (query.sort === 'confidence' ? 'number' : 'string') && !String(key).includes('\0')
    if (order === `${query.sort} ${query.order}` && fits) return { key, id }
  } catch {
    // Said below, whatever it was.
  }
  throw invalid('cursor', 'is not one we gave for this order')
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
  const page = rows.slice(0, query.limit)
  const items = page.map((row) => presentResult(job.kind, row))
  const last = page.at(-1)
  const place = rows.length > query.limit && last ? store.placeOf(last, query.sort) : undefined
  const nextCursor = place
    ? Buffer.from(JSON.stringify([`${query.sort} ${query.order}`, place.key, place.id])).toString('base64url')
    : null
  if (after) return { items, nextCursor }
  const total = nextCursor === null ? items.length : await store.countResults(db, workspaceId, jobId, query)
  return { items, nextCursor, total }
}

/** One page of the pages that were not read. */
export async function listSkips(db: Db, workspaceId: string, jobId: string, page: Parameters<typeof skippedPages>[3]) {
  await findJob(db, workspaceId, jobId)
  const rows = await skippedPages(db, workspaceId, jobId, { ...page, limit: page.limit + 1 })
  const shown = rows.slice(0, page.limit)
  const items = shown.map(({ url, reason, reasonText, at }) => ({
    url,
    reason: reason as CollectorSkip['reason'],
    text: reasonText,
    at: at.toISOString(),
  }))
  return { items, nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null }
}
