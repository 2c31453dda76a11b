import { type RawBuilder, sql } from 'kysely'
import type { List } from '#contracts/contacts/lists.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound, unknownId } from '#server/platform/http/refusal.ts'

interface ListRow {
  id: string
  name: string
  optin: 'single' | 'double'
  confirmationTemplateId: string | null
  description: string
  isPublic: boolean
  createdAt: Date
  contacts: string
  unconfirmed: string
  unsubscribed: string
}

function present(row: ListRow): List {
  return {
    ...row,
    contacts: Number(row.contacts),
    unconfirmed: Number(row.unconfirmed),
    unsubscribed: Number(row.unsubscribed),
    confirmationProblem: null,
    createdAt: row.createdAt.toISOString(),
  }
}

async function select(db: Db, workspaceId: string, where: ReturnType<typeof sql>, limit: number): Promise<List[]> {
  const { rows } = await sql<ListRow>`
    select l.id, l.name, l.optin, l.confirmation_template_id, l.description, l.is_public, l.created_at, m.contacts, m.unconfirmed, m.unsubscribed
    from (select * from lists where workspace_id = ${workspaceId} and ${where} order by id limit ${limit}) l
    cross join lateral (
      select count(*) filter (where status = 'confirmed') as contacts, count(*) filter (where status = 'pending') as unconfirmed,
        count(*) filter (where status = 'unsubscribed') as unsubscribed from list_members where workspace_id = ${workspaceId} and list_id = l.id
    ) m order by l.id`.execute(db)
  return rows.map(present)
}

/** The lists of a workspace in the order they were made, with their counts. */
export function listPage(db: Db, workspaceId: string, page: { limit: number; after?: string }): Promise<List[]> {
  return select(db, workspaceId, page.after ? sql`id > ${page.after}` : sql`true`, page.limit)
}

/** One list with its counts; a refusal (404) when there is none. */
export async function showList(db: Db, workspaceId: string, id: string): Promise<List> {
  const [list] = await select(db, workspaceId, sql`id = ${id}`, 1)
  if (!list) throw notFound('List')
  return list
}

export async function createList(
  db: Db,
  workspaceId: string,
  fields: {
    name: string
    optin: 'single' | 'double'
    confirmationTemplateId?: string | null | undefined
    description?: string | undefined
    isPublic?: boolean | undefined
  },
): Promise<List> {
  const { id } = await db
    .insertInto('lists')
    .values({
      workspaceId,
      ...fields,
      confirmationTemplateId: fields.confirmationTemplateId ?? null,
      description: fields.description ?? '',
      isPublic: fields.isPublic ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return showList(db, workspaceId, id)
}

/**
 * Creates a list of the contacts that a statement of `contact_id` and `has_left` finds, in one statement. Who has left is
 * on it as unsubscribed, so that no list brings them back.
 */
export async function createListWith(
  db: Db,
  workspaceId: string,
  name: string,
  found: RawBuilder<unknown>,
): Promise<List> {
  const { id } = await createList(db, workspaceId, { name, optin: 'single' })
  await sql`insert into list_members (workspace_id, list_id, contact_id, status)
    select ${workspaceId}, ${id}, c.id, case when f.has_left then 'unsubscribed' else 'confirmed' end
    from (${found}) f join contacts c on c.workspace_id = ${workspaceId} and c.id = f.contact_id
    order by c.id on conflict do nothing`.execute(db)
  return showList(db, workspaceId, id)
}

export async function changeList(
  db: Db,
  workspaceId: string,
  id: string,
  fields: {
    name?: string | undefined
    optin?: 'single' | 'double' | undefined
    confirmationTemplateId?: string | null | undefined
    description?: string | undefined
    isPublic?: boolean | undefined
  },
): Promise<List> {
  const change = {
    ...(fields.confirmationTemplateId !== undefined && { confirmationTemplateId: fields.confirmationTemplateId }),
    ...(fields.name !== undefined && { name: fields.name }),
    ...(fields.optin !== undefined && { optin: fields.optin }),
    ...(fields.description !== undefined && { description: fields.description }),
    ...(fields.isPublic !== undefined && { isPublic: fields.isPublic }),
    // A list of the sample data that a user changes is theirs from then on.
    isSample: false,
  }
  if (Object.values(fields).some((value) => value !== undefined))
    await db.updateTable('lists').set(change).where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
  return showList(db, workspaceId, id)
}

/**
 * Removes a list in the transaction `db`; imports into it forget it. Its memberships are cleared away afterwards, with
 * clearMembers.
 */
export async function removeList(db: Db, workspaceId: string, id: string): Promise<void> {
  // Locked first, so that no import begins to refer to it.
  const row = await db
    .selectFrom('lists')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('List')
  await db
    .updateTable('imports')
    .set({ listId: null })
    .where('workspaceId', '=', workspaceId)
    .where('listId', '=', id)
    .execute()
  await db.deleteFrom('lists').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** Deletes some memberships of a removed list; returns how many. In portions, so that nobody waits for a million. */
export async function clearMembers(db: Db, workspaceId: string, listId: string): Promise<number> {
  const result =
    await sql`delete from list_members where list_id = ${listId} and workspace_id = ${workspaceId} and contact_id in (
    select contact_id from list_members where workspace_id = ${workspaceId} and list_id = ${listId} limit 5000)`.execute(
      db,
    )
  return Number(result.numAffectedRows ?? 0)
}

/** Refuses ids that are no lists of the workspace, without telling whether they are somebody else's. */
export async function requireLists(db: Db, workspaceId: string, field: string, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const rows = await db
    .selectFrom('lists')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', wanted)
    .select('id')
    .execute()
  if (rows.length < wanted.length) throw unknownId(field)
}

/** Lists whose confirmation email a removed template was use the default one from then on. */
export async function forgetConfirmationTemplate(db: Db, workspaceId: string, templateId: string): Promise<void> {
  await db
    .updateTable('lists')
    .set({ confirmationTemplateId: null })
    .where('workspaceId', '=', workspaceId)
    .where('confirmationTemplateId', '=', templateId)
    .execute()
}
