import { sql } from 'kysely'
import type { RawTemplate } from '#server/adapters/whatsapp/api.ts'
import type { Db } from '#server/platform/db/database.ts'

const columns = [
  'id',
  'workspaceId',
  'businessAccountId',
  'metaId',
  'name',
  'language',
  'category',
  'status',
  'reason',
  'quality',
  'parameterFormat',
  'components',
  'syncedAt',
  'createdAt',
] as const

export type TemplateRow = NonNullable<Awaited<ReturnType<typeof templateById>>>

const select = (db: Db, workspaceId: string) =>
  db.selectFrom('whatsappTemplates').where('workspaceId', '=', workspaceId).select(columns)

export function templateById(db: Db, workspaceId: string, id: string) {
  return select(db, workspaceId).where('id', '=', id).executeTakeFirst()
}

/** By name and language, as people look for them. */
export function templatePage(
  db: Db,
  workspaceId: string,
  page: { limit: number; before?: string; businessAccountId?: string; status?: string },
): Promise<TemplateRow[]> {
  let query = select(db, workspaceId).orderBy('id', 'desc').limit(page.limit)
  if (page.before) query = query.where('id', '<', page.before)
  if (page.businessAccountId) query = query.where('businessAccountId', '=', page.businessAccountId)
  if (page.status) query = query.where('status', '=', page.status.toUpperCase())
  return query.execute()
}

const QUALITIES = ['green', 'yellow', 'red'] as const

/** Meta's word for a quality, of a number or a template. */
export const toQuality = (word: string) => QUALITIES.find((one) => one === word.toLowerCase()) ?? 'unknown'

const toTemplateRow = (template: RawTemplate) => ({
  metaId: template.id,
  name: template.name,
  language: template.language,
  category: template.category,
  status: template.status,
  reason: template.reason,
  quality: toQuality(template.quality),
  parameterFormat: template.parameterFormat,
  components: JSON.stringify(template.components),
})

/** The database's own clock, which every process writes by. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}

/**
 * Writes down what Meta had of a business account at `askedAt`: new ones, changed ones, and none that are gone. What was
 * written since, such as a template made meanwhile, is newer than the list and stays as it is.
 */
export async function replaceTemplates(
  db: Db,
  workspaceId: string,
  businessAccountId: string,
  { found, askedAt }: { found: RawTemplate[]; askedAt: Date },
) {
  const before = await db
    .selectFrom('whatsappTemplates')
    .where('workspaceId', '=', workspaceId)
    .where('businessAccountId', '=', businessAccountId)
    .select(['id', 'name', 'language', 'syncedAt'])
    .execute()
  const templateKey = ({ name, language }: { name: string; language: string }) => `${name}:${language}`
  const known = new Set(before.map(templateKey))
  const now = new Set(found.map(templateKey))
  const newer = new Set(before.filter(({ syncedAt }) => syncedAt >= askedAt).map(templateKey))
  for (const template of found)
    if (!newer.has(templateKey(template))) await keepTemplate(db, workspaceId, businessAccountId, template)
  const gone = before.filter((one) => !now.has(templateKey(one)) && !newer.has(templateKey(one))).map(({ id }) => id)
  if (gone.length > 0)
    await db.deleteFrom('whatsappTemplates').where('workspaceId', '=', workspaceId).where('id', 'in', gone).execute()
  await sql`update whatsapp_numbers set templates_at = now()
    where workspace_id = ${workspaceId} and business_account_id = ${businessAccountId}`.execute(db)
  return {
    found: found.length,
    added: found.filter((one) => !known.has(templateKey(one))).length,
    removed: gone.length,
  }
}

/** Whether Meta refused templates of any number as they are known here. */
export const isAnyStale = sql<boolean>`exists (select 1 from whatsapp_numbers where templates_stale)`

/** Numbers whose templates Meta refused as they are known here, each told once. */
export async function takeStale(db: Db): Promise<{ workspaceId: string; id: string }[]> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`update whatsapp_numbers set templates_stale = false
    where templates_stale returning workspace_id, id`.execute(db)
  return rows
}

/** Writes down one template; returns its id. */
export async function keepTemplate(
  db: Db,
  workspaceId: string,
  businessAccountId: string,
  template: RawTemplate,
): Promise<string> {
  const row = toTemplateRow(template)
  const { id } = await db
    .insertInto('whatsappTemplates')
    .values({ workspaceId, businessAccountId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'businessAccountId', 'name', 'language'])
        .doUpdateSet({ ...row, syncedAt: sql<Date>`excluded.synced_at` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteTemplate(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('whatsappTemplates').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** Notes what Meta's refusal said of a template, so that nobody else tries it. */
export async function setTemplateStatus(db: Db, workspaceId: string, id: string, status: string): Promise<void> {
  await sql`update whatsapp_templates set status = ${status} where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )
}
