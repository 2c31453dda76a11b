/** What was changed of contacts one by one: names of fields without their values. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { ContactRow } from '../store.ts'

/** Edits of one contact at most: a program may change one every minute. */
const MAX_EDITS = 100

type Edited = Pick<ContactRow, 'email' | 'phone' | 'bsuid' | 'name' | 'attributes' | 'tags'>

/** The names of the fields in which a contact differs from what it was; of lists the timeline tells by itself. */
export function findEdited(before: Edited, after: Edited): string[] {
  const own = (['email', 'phone', 'bsuid', 'name'] as const).filter((field) => before[field] !== after[field])
  const custom = new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])
  const isTagged = before.tags.toSorted().join() !== after.tags.toSorted().join()
  return [
    ...own,
    ...[...custom].filter((name) => before.attributes[name] !== after.attributes[name]).toSorted(),
    ...(isTagged ? ['tags'] : []),
  ]
}

/** Remembers an edit of a contact, and of its edits the latest. */
export async function insertEdit(db: Db, workspaceId: string, contactId: string, fields: string[]): Promise<void> {
  if (fields.length === 0) return
  await db.insertInto('contactEdits').values({ workspaceId, contactId, fields }).execute()
  await sql`delete from contact_edits where workspace_id = ${workspaceId} and contact_id = ${contactId} and id <= (
    select id from contact_edits where workspace_id = ${workspaceId} and contact_id = ${contactId} order by id desc offset ${MAX_EDITS} limit 1)`.execute(
    db,
  )
}

/** Forgets the edits of a removed contact. */
export async function deleteEdits(db: Db, workspaceId: string, contactId: string): Promise<void> {
  await db
    .deleteFrom('contactEdits')
    .where('workspaceId', '=', workspaceId)
    .where('contactId', '=', contactId)
    .execute()
}

/** Gives a contact the edits of another one; returns their ids. */
export async function moveEdits(db: Db, workspaceId: string, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update contact_edits set contact_id = ${to} where workspace_id = ${workspaceId} and contact_id = ${from} returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
