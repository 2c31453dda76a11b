import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'

const listed = ['id', 'name', 'subject', 'version', 'createdAt', 'updatedAt'] as const
const columns = [...listed, 'html', 'mjml', 'text'] as const

export interface TemplateFields {
  name: string
  subject: string
  html: string
  mjml: string
  text: string
}

export type TemplateRow = NonNullable<Awaited<ReturnType<typeof templateById>>>

export function templateById(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('templates')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst()
}

/** Newest first, without their content. `before` is the last id of the page before. */
export function templatePage(db: Db, workspaceId: string, page: { limit: number; before?: string }) {
  let query = db
    .selectFrom('templates')
    .where('workspaceId', '=', workspaceId)
    .select(listed)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.before) query = query.where('id', '<', page.before)
  return query.execute()
}

/** Templates whose name or subject holds a text, newest first. */
export function findTemplates(db: Db, workspaceId: string, text: string, limit: number) {
  const pattern = holding(text)
  return db
    .selectFrom('templates')
    .where('workspaceId', '=', workspaceId)
    .where(({ fn, or, eb }) =>
      or([eb(fn('lower', ['name']), 'like', pattern), eb(fn('lower', ['subject']), 'like', pattern)]),
    )
    .select(['id', 'name'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countTemplates(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('templates')
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function insertTemplate(db: Db, workspaceId: string, fields: TemplateFields): Promise<TemplateRow> {
  return db
    .insertInto('templates')
    .values({ workspaceId, ...fields })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateTemplate(
  db: Db,
  workspaceId: string,
  id: string,
  fields: Partial<TemplateFields>,
): Promise<TemplateRow | undefined> {
  return (
    db
      .updateTable('templates')
      // A template of the sample data that a user edits is theirs from then on.
      .set({ ...fields, isSample: false, version: sql<number>`version + 1`, updatedAt: sql<Date>`now()` })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst()
  )
}

/** A template that nobody else changes until the transaction ends. */
export function lockTemplate(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('templates')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .forUpdate()
    .executeTakeFirst()
}

/** Removes a template. Throws the foreign key's error while something refers to it. */
export async function deleteTemplate(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('templates').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** Whom a preview is written to. */
export function contactForPreview(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select(['id', 'email', 'name', 'phone', 'attributes'])
    .executeTakeFirst()
}

/** The nth confirmed member of a list by its place in it, and how many there are; nothing for a list of others. */
export async function memberForPreview(db: Db, workspaceId: string, listId: string, nth: number) {
  const list = await db
    .selectFrom('lists')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', listId)
    .select('id')
    .executeTakeFirst()
  if (!list) return undefined
  const members = db
    .selectFrom('listMembers')
    .innerJoin('contacts', (join) =>
      join
        .onRef('contacts.workspaceId', '=', 'listMembers.workspaceId')
        .onRef('contacts.id', '=', 'listMembers.contactId'),
    )
    .where('listMembers.workspaceId', '=', workspaceId)
    .where('listMembers.listId', '=', listId)
    .where('listMembers.status', '=', 'confirmed')
    .where('contacts.email', 'is not', null)
  const { total } = await members.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const member = await members
    .select(['contacts.id', 'contacts.email', 'contacts.name', 'contacts.phone', 'contacts.attributes'])
    .orderBy('contacts.id')
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst()
  return { total: Number(total), member }
}

/** The sender a workspace has from the beginning. */
export async function defaultSender(db: Db, workspaceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where('isDefault', '=', true)
    .select('id')
    .executeTakeFirst()
  return row?.id
}

/** What stands in the footer. */
export function findFooter(db: Db, workspaceId: string) {
  return db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['company', 'postalAddress'])
    .executeTakeFirst()
}
