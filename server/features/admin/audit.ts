import type { z } from 'zod'
import type { AuditLine, admin } from '#contracts/admin/admin.ts'
import { audit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { type AuditFilter, type AuditRow, auditPage, countLines, peopleLike } from './audit-store.ts'

/** Up to this many lines the list says how many there are in all. */
const COUNTED = 100_000
const PAGE = 2_000

function present(row: AuditRow): AuditLine {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: { id: row.actorId, name: row.actor },
    subject: { id: row.subjectId, name: row.subject },
    workspaceId: row.workspaceId,
    network: row.network,
    details: row.details as Record<string, unknown>,
  }
}

type AuditQuery = z.output<typeof admin.exportAudit.query>

/** The filter as the store takes it: a part of an address becomes the people it names. */
async function toAuditFilter(db: Db, { q, ...filter }: AuditQuery): Promise<AuditFilter> {
  const text = q?.trim()
  return text ? { ...filter, people: await peopleLike(db, text) } : filter
}

/** One page of the audit log, newest first; how many there are in all where it is cheap to know. */
export async function listAudit(db: Db, query: z.output<typeof admin.audit.query>) {
  const { limit, cursor, ...filter } = query
  const given = await toAuditFilter(db, filter)
  const rows = await auditPage(db, given, { limit: limit + 1, before: cursor })
  const { items: shown, nextCursor } = takePage(rows, limit)
  const items = shown.map(present)
  if (given.people && 'like' in given.people) return { items, nextCursor }
  const total = await countLines(db, given, COUNTED + 1)
  return { items, nextCursor, ...(total <= COUNTED && { total }) }
}

/** The audit log as pages of rows, newest first. */
export async function* exportAudit(db: Db, query: AuditQuery): AsyncGenerator<string[][]> {
  await audit(db, {
    action: 'audit_exported',
    subject: 'Audit log',
    details: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
  })
  yield [['time', 'action', 'by', 'to', 'workspace', 'network', 'details']]
  const filter = await toAuditFilter(db, query)
  let before: string | undefined
  for (;;) {
    const rows = await auditPage(db, filter, { limit: PAGE, before })
    yield rows.map((row) => [
      row.at.toISOString(),
      row.action,
      row.actor,
      row.subject,
      row.workspaceId ?? '',
      row.network,
      JSON.stringify(row.details),
    ])
    if (rows.length < PAGE) return
    before = rows.at(-1)?.id
  }
}
