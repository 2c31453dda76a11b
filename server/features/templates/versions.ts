import type { Template } from '#contracts/templates/templates.ts'
import type { Db } from '#server/platform/db/database.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import { lockTemplate, type TemplateRow } from './store.ts'

/** Versions stored of one template. */
const MAX_VERSIONS = 20
/** Named versions of one template, which are not among those. */
const MAX_NAMED = 20
/** While somebody writes, a version is stored every so many milliseconds and not at every pause of typing. */
const APART = 5 * 60_000

const listed = ['id', 'version', 'label', 'name', 'subject', 'createdAt'] as const

/** Stores the state a template has before it changes; `always`, or when the last version is old enough. */
export async function keepVersion(db: Db, workspaceId: string, row: TemplateRow, always: boolean): Promise<void> {
  const last = await db
    .selectFrom('templateVersions')
    .where('workspaceId', '=', workspaceId)
    .where('templateId', '=', row.id)
    .select(['version', 'createdAt', 'id'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.version === row.version || (!always && last && row.updatedAt.getTime() - last.createdAt.getTime() < APART))
    return
  const { id, version, name, subject, html, mjml, text, updatedAt } = row
  await db
    .insertInto('templateVersions')
    .values({ workspaceId, templateId: id, version, name, subject, html, mjml, text, createdAt: updatedAt })
    .execute()
  await db
    .deleteFrom('templateVersions')
    .where('workspaceId', '=', workspaceId)
    .where('templateId', '=', id)
    .where('label', '=', '')
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('templateVersions as latest')
        .where('latest.workspaceId', '=', workspaceId)
        .where('latest.templateId', '=', id)
        .where('latest.label', '=', '')
        .select('latest.id')
        .orderBy('latest.id', 'desc')
        .limit(MAX_VERSIONS),
    )
    .execute()
}

interface ListedVersion {
  id: string
  version: number
  label: string
  name: string
  subject: string
  createdAt: Date
}

const present = ({ id, version, label, name, subject, createdAt }: ListedVersion) => ({
  ...{ id, version, label, name, subject },
  at: createdAt.toISOString(),
})

/** The versions of a template, newest first. */
export async function findVersions(db: Db, workspaceId: string, templateId: string) {
  const rows = await db
    .selectFrom('templateVersions')
    .where('workspaceId', '=', workspaceId)
    .where('templateId', '=', templateId)
    .select(listed)
    .orderBy('id', 'desc')
    .execute()
  return wholeList(rows.map(present))
}

/** One version with its content. Throws Refusal 404. */
export async function requireVersion(db: Db, workspaceId: string, templateId: string, id: string) {
  const row = await db
    .selectFrom('templateVersions')
    .where('workspaceId', '=', workspaceId)
    .where('templateId', '=', templateId)
    .where('id', '=', id)
    .select([...listed, 'html', 'mjml', 'text'])
    .executeTakeFirst()
  if (!row) throw notFound('Version')
  const { html, mjml, text } = row
  return { ...present(row), html, mjml, text } satisfies Partial<Template> & { at: string }
}

/** Names a version, or takes its name away. Throws Refusal 404, or 409 beyond the named versions a template may have. */
export async function nameVersion(db: Db, workspaceId: string, templateId: string, id: string, label: string) {
  return db.transaction().execute(async (transaction) => {
    // Two names at once are counted one after the other.
    await lockTemplate(transaction, workspaceId, templateId)
    const { count } = await transaction
      .selectFrom('templateVersions')
      .where('workspaceId', '=', workspaceId)
      .where('templateId', '=', templateId)
      .where('label', '!=', '')
      .where('id', '!=', id)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    if (label !== '' && Number(count) >= MAX_NAMED)
      throw conflict(
        'too_many_named',
        `This template already has ${MAX_NAMED} named versions. Remove the name of another version first.`,
      )
    const row = await transaction
      .updateTable('templateVersions')
      .set({ label })
      .where('workspaceId', '=', workspaceId)
      .where('templateId', '=', templateId)
      .where('id', '=', id)
      .returning(listed)
      .executeTakeFirst()
    if (!row) throw notFound('Version')
    return present(row)
  })
}
