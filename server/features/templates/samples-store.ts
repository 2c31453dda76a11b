/** The template of the sample data. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { TemplateFields } from './store.ts'
import { templateParts } from './template-parts.ts'

/** Adds a template of the sample data; returns its id. */
export async function addSampleTemplate(
  db: Db,
  workspaceId: string,
  fields: Pick<TemplateFields, 'name' | 'subject' | 'mjml'>,
  at: Date,
): Promise<string> {
  const { id } = await db
    .insertInto('templates')
    .values({ workspaceId, ...fields, isSample: true, createdAt: at, updatedAt: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Removes the templates of the sample data. One that a campaign of the user's uses stays as theirs. */
export async function removeSampleTemplates(db: Db, workspaceId: string): Promise<void> {
  // Locked first, so that no campaign begins to refer to it.
  const { rows } = await sql<{ id: string; isUsed: boolean }>`
    with held as (select id from templates where workspace_id = ${workspaceId} and is_sample order by id for update)
    select id, exists (select 1 from campaigns c where c.workspace_id = ${workspaceId} and c.template_id = held.id
      and not c.is_sample and c.deleted_at is null) as is_used from held`.execute(db)
  for (const { id, isUsed } of rows) {
    const own = db.updateTable('templates').set({ isSample: false })
    if (isUsed) await own.where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
    else {
      for (const part of templateParts()) await part.forget(db, workspaceId, id)
      await db.deleteFrom('templates').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
    }
  }
}
