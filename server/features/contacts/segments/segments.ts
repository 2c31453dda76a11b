import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import type { Contact } from '#contracts/contacts/contacts.ts'
import { MAX_SEGMENTS, type Segment } from '#contracts/contacts/segments.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import { presentContact } from '../contacts.ts'
import { contactPage, countContacts } from '../pages-store.ts'
import { filterMatch } from './match.ts'
import { findMissing, requireReferences } from './references.ts'
import * as store from './segments-store.ts'
import { withinTime } from './within-time.ts'

const SAMPLE = 10

const present = async (db: Db, workspaceId: string, row: store.SegmentRow): Promise<Segment> => ({
  ...row,
  problems: await findMissing(db, workspaceId, row.filter),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** The segments of a workspace in the order they were made. */
export async function listSegments(
  db: Db,
  workspaceId: string,
  page: { limit: number; after?: string },
): Promise<Segment[]> {
  const segments: Segment[] = []
  for (const row of await store.segmentPage(db, workspaceId, page)) segments.push(await present(db, workspaceId, row))
  return segments
}

/** One segment; a refusal (404) when there is none. */
export async function showSegment(db: Db, workspaceId: string, id: string): Promise<Segment> {
  const row = await store.segmentById(db, workspaceId, id)
  if (!row) throw notFound('Segment')
  return present(db, workspaceId, row)
}

/** Creates a segment. Refusal 400 where its filter names what is not there, 409 where the workspace has as many as it may. */
export async function createSegment(
  db: Db,
  workspaceId: string,
  { name, filter }: { name: string; filter: ContactFilter },
): Promise<Segment> {
  await requireReferences(db, workspaceId, 'filter', filter)
  if ((await store.countSegments(db, workspaceId)) >= MAX_SEGMENTS)
    throw conflict('too_many_segments', `A workspace has at most ${MAX_SEGMENTS} segments. Delete one first.`)
  return showSegment(db, workspaceId, await store.insertSegment(db, workspaceId, name, filter))
}

/** Renames a segment or replaces its filter. */
export async function changeSegment(
  db: Db,
  workspaceId: string,
  id: string,
  change: { name?: string | undefined; filter?: ContactFilter | undefined },
): Promise<Segment> {
  await showSegment(db, workspaceId, id)
  if (change.filter) await requireReferences(db, workspaceId, 'filter', change.filter)
  await store.updateSegment(db, workspaceId, id, change)
  return showSegment(db, workspaceId, id)
}

export async function removeSegment(db: Db, workspaceId: string, id: string): Promise<void> {
  if (!(await store.deleteSegment(db, workspaceId, id))) throw notFound('Segment')
}

/** How many contacts a filter finds, and the newest of them. Refusal 400 where that takes too long. */
export async function previewFilter(
  db: Db,
  workspaceId: string,
  filter: ContactFilter,
): Promise<{ count: number; sample: Contact[] }> {
  await requireReferences(db, workspaceId, 'filter', filter)
  return withinTime(db, { workspaceId, field: 'filter' }, async (db) => {
    const match = await filterMatch(db, workspaceId, filter)
    const count = await countContacts(db, workspaceId, match, Number.MAX_SAFE_INTEGER)
    const rows = count === 0 ? [] : await contactPage(db, workspaceId, match, { limit: SAMPLE })
    return { count, sample: rows.map(({ place: _, ...row }) => presentContact(row)) }
  })
}
