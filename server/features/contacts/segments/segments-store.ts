import { sql } from 'kysely'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import type { Db } from '#server/platform/db/database.ts'

export interface SegmentRow {
  id: string
  name: string
  filter: ContactFilter
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = ['id', 'name', 'filter', 'createdAt', 'updatedAt'] as const
const toRow = (row: Omit<SegmentRow, 'filter'> & { filter: unknown }) => row as SegmentRow

/** Segments in the order they were made, after an id. */
export async function segmentPage(
  db: Db,
  workspaceId: string,
  { limit, after = '0' }: { limit: number; after?: string },
): Promise<SegmentRow[]> {
  const rows = await db
    .selectFrom('segments')
    .where('workspaceId', '=', workspaceId)
    .where('id', '>', after)
    .select(COLUMNS)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toRow)
}

export async function segmentById(db: Db, workspaceId: string, id: string): Promise<SegmentRow | undefined> {
  const row = await db
    .selectFrom('segments')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select(COLUMNS)
    .executeTakeFirst()
  return row && toRow(row)
}

/** Those of these segments that exist. */
export async function segmentsById(db: Db, workspaceId: string, ids: string[]): Promise<SegmentRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('segments')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select(COLUMNS)
    .orderBy('id')
    .execute()
  return rows.map(toRow)
}

export async function countSegments(db: Db, workspaceId: string): Promise<number> {
  const { n } = await db
    .selectFrom('segments')
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Inserts a segment and returns its id. */
export async function insertSegment(db: Db, workspaceId: string, name: string, filter: ContactFilter): Promise<string> {
  const { id } = await db
    .insertInto('segments')
    .values({ workspaceId, name, filter: JSON.stringify(filter) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateSegment(
  db: Db,
  workspaceId: string,
  id: string,
  { name, filter }: { name?: string | undefined; filter?: ContactFilter | undefined },
): Promise<void> {
  await db
    .updateTable('segments')
    .set({
      ...(name !== undefined && { name }),
      ...(filter !== undefined && { filter: JSON.stringify(filter) }),
      updatedAt: sql<Date>`now()`,
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a segment; returns whether it existed. */
export async function deleteSegment(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('segments')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
