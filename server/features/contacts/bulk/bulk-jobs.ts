/** Changes of many contacts as they are shown, and why some cannot be undone. */
import { BULK_UNDO_HOURS, type ContactJob, type UndoObstacle } from '#contracts/contacts/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import type { FieldChange } from './bulk-changes.ts'
import * as store from './bulk-store.ts'
import { isUndoable } from './bulk-undo.ts'

export const hasEnded = ({ state }: Pick<store.ContactJobRow, 'state'>): boolean =>
  state === 'done' || state === 'failed'

/** Whether the list or tag that a change is about is still there. */
const hasTarget = ({ action, valueName }: store.ContactJobSummary): boolean =>
  valueName !== null || !['addToList', 'removeFromList', 'tag', 'untag'].includes(action)

/** Why a change cannot be undone; null: it can. */
export function findObstacle(row: store.ContactJobSummary): UndoObstacle | null {
  if (!isUndoable(row.action)) return 'not_undoable'
  if (!hasEnded(row)) return 'not_ended'
  if (row.undone) return 'already_undone'
  if (row.isNoted) return hasTarget(row) ? null : 'target_deleted'
  return Number(row.changed) === 0 ? 'nothing_changed' : 'too_late'
}

/** What a refused undo says. */
export const obstacleTexts: Record<UndoObstacle, string> = {
  not_undoable: 'A change of this kind cannot be undone.',
  not_ended: 'The change is still running. Undo it when it has ended.',
  already_undone: 'The change was undone before.',
  nothing_changed: 'There is nothing to undo: the change did nothing.',
  target_deleted: 'There is nothing to undo: the list or tag of this change was deleted since.',
  too_late: `There is nothing to undo: the change ended more than ${BULK_UNDO_HOURS} hours ago.`,
}

function toNames({ action, value, valueName }: store.ContactJobSummary): string[] {
  if (action !== 'setField') return valueName === null ? [] : [valueName]
  const { name, attributes = {} } = value as FieldChange
  return [...(name === undefined ? [] : ['name']), ...Object.keys(attributes)]
}

function present(row: store.ContactJobSummary): ContactJob {
  const obstacle = findObstacle(row)
  return {
    id: row.id,
    action: row.action,
    names: toNames(row),
    requestedBy: row.requestedBy,
    state: row.state,
    total: row.total === null ? null : Number(row.total),
    processed: Number(row.processed),
    changed: Number(row.changed),
    canUndo: obstacle === null,
    obstacle,
    undone: row.undone,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

/** A change and how far it is; a refusal (404) when there is none. */
export async function showJob(db: Db, workspaceId: string, id: string): Promise<ContactJob> {
  const row = await store.findJob(db, workspaceId, id)
  if (!row) throw notFound('Job')
  return present(row)
}

/** Changes that run or ended while they can be undone, newest first. */
export async function listJobs(db: Db, workspaceId: string, page: { limit: number; before?: string }) {
  const rows = await store.jobPage(db, workspaceId, { ...page, limit: page.limit + 1, hours: BULK_UNDO_HOURS })
  const { items, nextCursor } = takePage(rows, page.limit)
  return { items: items.map(present), nextCursor }
}
