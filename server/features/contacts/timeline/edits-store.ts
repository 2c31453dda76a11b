/** What was changed of contacts one by one, by whom. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { ContactRow } from '../store.ts'

/** Edits of one contact at most: a program may change one every minute. */
const MAX_EDITS = 100

/** Of an edit so many fields are told with their values, and of a value so many characters. */
const MAX_VALUES = 20
const MAX_LENGTH = 100

type Edited = Pick<ContactRow, 'email' | 'phone' | 'bsuid' | 'name' | 'attributes' | 'tags'>

/** A field with its value before and after; null: it had or has none. */
export interface FieldEdit {
  field: string
  from: string | null
  to: string | null
}

export interface Edit {
  /** The names of the fields that differ. */
  fields: string[]
  /** Those that are told with their values. */
  changes: FieldEdit[]
}

/** Half an emoji is no text that JSON in the database takes. */
const shorten = (value: string) =>
  value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : value
const toText = (value: unknown) =>
  value === null || value === undefined || value === '' ? null : shorten(String(value))

/**
 * The fields in which a contact differs from what it was; of lists the timeline tells by itself. `nameTags` gives the names of tags
 * by their ids. Addresses have no values: one that the contact had may be that of somebody who is erased later.
 */
export async function findEdited(
  before: Edited,
  after: Edited,
  nameTags: (ids: string[]) => Promise<string[]>,
): Promise<Edit> {
  const addresses = (['email', 'phone', 'bsuid'] as const).filter((field) => before[field] !== after[field])
  const custom = new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])
  const changes: FieldEdit[] = [
    ...(before.name === after.name ? [] : [{ field: 'name', from: toText(before.name), to: toText(after.name) }]),
    ...[...custom]
      .filter((name) => before.attributes[name] !== after.attributes[name])
      .toSorted()
      .map((field) => ({ field, from: toText(before.attributes[field]), to: toText(after.attributes[field]) })),
  ]
  if (before.tags.toSorted().join() !== after.tags.toSorted().join()) {
    const [from = [], to = []] = [await nameTags(before.tags), await nameTags(after.tags)]
    changes.push({ field: 'tags', from: toText(from.join(', ')), to: toText(to.join(', ')) })
  }
  return { fields: [...addresses, ...changes.map(({ field }) => field)], changes: changes.slice(0, MAX_VALUES) }
}

/** Remembers an edit of a contact by a user, and of its edits the latest. */
export async function insertEdit(
  db: Db,
  workspaceId: string,
  contactId: string,
  { fields, changes }: Edit,
  editedBy: string,
): Promise<void> {
  if (fields.length === 0) return
  await db
    .insertInto('contactEdits')
    .values({ workspaceId, contactId, fields, changes: JSON.stringify(changes), editedBy })
    .execute()
  await sql`delete from contact_edits where workspace_id = ${workspaceId} and contact_id = ${contactId} and id <= (
    select id from contact_edits where workspace_id = ${workspaceId} and contact_id = ${contactId} order by id desc offset ${MAX_EDITS} limit 1)`.execute(
    db,
  )
}

/** Forgets the edits of removed contacts. */
export async function deleteEdits(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await db
    .deleteFrom('contactEdits')
    .where('workspaceId', '=', workspaceId)
    .where('contactId', 'in', contactIds)
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
