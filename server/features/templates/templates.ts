import type { z } from 'zod'
import { TEMPLATE_LIMIT, type Template, type TemplateProblem, type templates } from '#contracts/templates/templates.ts'
import type { AttributeValue, Recipient } from '#server/engine/index.ts'
import { isReferred } from '#server/platform/db/constraints.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, invalid, notFound, unknownId } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { findTemplateProblems, presentProblems, type Source, toDraft } from './problems.ts'
import { renderCanvasBounded, renderPreviewBounded } from './rendering/renderer.ts'
import * as store from './store.ts'
import { templateParts } from './template-parts.ts'
import { isMjml, tooLarge } from './upload/upload.ts'
import { findVersions, keepVersion, requireVersion } from './versions.ts'

type TemplateServices = Pick<Services, 'db' | 'config'>
type ListedTemplate = Omit<Template, 'html' | 'mjml' | 'text' | 'problems'>

function presentListed(
  row: Pick<store.TemplateRow, 'id' | 'name' | 'subject' | 'version' | 'createdAt' | 'updatedAt'>,
): ListedTemplate {
  const { id, name, subject, version } = row
  return {
    id,
    name,
    channel: 'email',
    subject,
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

async function presentTemplate(
  services: TemplateServices,
  workspaceId: string,
  row: store.TemplateRow,
): Promise<Template> {
  return {
    ...presentListed(row),
    html: row.html,
    mjml: row.mjml,
    text: row.text,
    problems: await findTemplateProblems(services, workspaceId, row),
  }
}

/** The contract counts characters; what is stored and sent are bytes. */
function checkSize(source: { html?: string | undefined; mjml?: string | undefined; text?: string | undefined }): void {
  for (const field of ['html', 'mjml', 'text'] as const)
    if (Buffer.byteLength(source[field] ?? '') > TEMPLATE_LIMIT) throw tooLarge(field)
}

/** MJML given as HTML is still MJML. */
function sorted<S extends { html?: string | undefined; mjml?: string | undefined }>(source: S): S {
  return source.html && !source.mjml?.trim() && isMjml(source.html)
    ? { ...source, html: '', mjml: source.html }
    : source
}

/** A template of the workspace. Throws Refusal 404. */
export async function find(services: TemplateServices, workspaceId: string, id: string): Promise<store.TemplateRow> {
  const row = await store.templateById(services.db, workspaceId, id)
  if (!row) throw notFound('Template')
  return row
}

export async function showTemplate(services: TemplateServices, workspaceId: string, id: string): Promise<Template> {
  return presentTemplate(services, workspaceId, await find(services, workspaceId, id))
}

/** Saves a template whatever is wrong with it: nothing a person wrote is lost, and its problems are told with it. */
export async function createTemplate(
  services: TemplateServices,
  workspaceId: string,
  fields: store.TemplateFields,
): Promise<Template> {
  checkSize(fields)
  const { name, subject, html, mjml, text } = sorted(fields)
  return presentTemplate(
    services,
    workspaceId,
    await store.insertTemplate(services.db, workspaceId, { name, subject, html, mjml, text }),
  )
}

export async function changeTemplate(
  services: TemplateServices,
  workspaceId: string,
  id: string,
  change: z.output<typeof templates.update.body>,
): Promise<Template> {
  checkSize(change)
  const { channel: _, version, ...given } = sorted(change)
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const row = await services.db.transaction().execute(async (db) => {
    const before = await store.lockTemplate(db, workspaceId, id)
    if (!before) throw notFound('Template')
    if (version !== undefined && version !== before.version)
      throw conflict(
        'version_conflict',
        'This template was changed elsewhere since you opened it, in another tab or by a colleague.',
      )
    // Without a version somebody else's change may be overwritten: it is stored whatever its age.
    await keepVersion(db, workspaceId, before, version === undefined)
    return store.updateTemplate(db, workspaceId, id, fields)
  })
  if (!row) throw notFound('Template')
  return presentTemplate(services, workspaceId, row)
}

export async function listVersions(services: TemplateServices, workspaceId: string, id: string) {
  await find(services, workspaceId, id)
  return findVersions(services.db, workspaceId, id)
}

export async function showVersion(services: TemplateServices, workspaceId: string, id: string, versionId: string) {
  await find(services, workspaceId, id)
  return requireVersion(services.db, workspaceId, id, versionId)
}

/** Goes back to an earlier version; the current state is stored as a version too. Throws Refusal 404. */
export async function restoreVersion(
  services: TemplateServices,
  workspaceId: string,
  id: string,
  versionId: string,
): Promise<Template> {
  const row = await services.db.transaction().execute(async (db) => {
    const before = await store.lockTemplate(db, workspaceId, id)
    if (!before) throw notFound('Template')
    const { name, subject, html, mjml, text } = await requireVersion(db, workspaceId, id, versionId)
    await keepVersion(db, workspaceId, before, true)
    return store.updateTemplate(db, workspaceId, id, { name, subject, html, mjml, text })
  })
  if (!row) throw notFound('Template')
  return presentTemplate(services, workspaceId, row)
}

/** MJML as HTML with its Liquid left in. */
export async function renderForCanvas(
  workspaceId: string,
  mjml: string,
): Promise<{ html: string; problems: TemplateProblem[] }> {
  checkSize({ mjml })
  const { html, problems } = await renderCanvasBounded({ workspaceId }, mjml, false)
  return { html, problems: presentProblems(problems, { subject: 'x', html: '', mjml }) }
}

/** Removes a template. Throws Refusal 404, or 409 while a scheduled campaign waits for its content. */
export async function removeTemplate(services: TemplateServices, workspaceId: string, id: string): Promise<void> {
  const remove = () =>
    services.db.transaction().execute(async (db) => {
      // Locked first, so that no campaign begins to refer to it.
      if (!(await store.lockTemplate(db, workspaceId, id))) throw notFound('Template')
      for (const part of templateParts()) await part.forget(db, workspaceId, id)
      await store.deleteTemplate(db, workspaceId, id)
    })
  // A campaign that is sent at the same moment waits for some of the same rows.
  await retryUndone(remove).catch((error) => {
    if (!isReferred(error)) throw error
    throw conflict('template_in_use', 'A scheduled campaign uses this template. Send or cancel that campaign first.')
  })
}

/** Newest first. */
export async function listTemplates(
  services: TemplateServices,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
) {
  const rows = await store.templatePage(services.db, workspaceId, {
    limit: page.limit + 1,
    ...(page.cursor && { before: page.cursor }),
  })
  const { items: shown, nextCursor } = takePage(rows, page.limit)
  return {
    items: shown.map(presentListed),
    nextCursor,
    total: await store.countTemplates(services.db, workspaceId),
  }
}

/** Somebody with everything filled in, for a preview without a contact. */
const SAMPLE: Recipient = {
  id: '0',
  email: 'robin@example.com',
  name: 'Robin Example',
  phone: '+14155550123',
  attributes: {
    first_name: 'Robin',
    last_name: 'Example',
    company: 'Example & Partners',
    city: 'Lisbon',
    country: 'Portugal',
    title: 'Ms',
  },
}

/** For whom an email is rendered: a contact, the nth member of a list, or nobody in particular. */
export interface PreviewReader {
  contactId?: string | undefined
  listId?: string | undefined
  nth?: number | undefined
}

async function findPreviewContact(
  services: TemplateServices,
  workspaceId: string,
  { contactId, listId, nth = 1 }: PreviewReader,
) {
  if (contactId !== undefined) {
    const contact = await store.contactForPreview(services.db, workspaceId, contactId)
    if (!contact) throw unknownId('contactId')
    return { contact, total: null }
  }
  if (listId === undefined) return { contact: undefined, total: null }
  const found = await store.memberForPreview(services.db, workspaceId, listId, nth)
  if (!found) throw unknownId('listId')
  if (!found.member)
    throw invalid('nth', `is past the end: the list has ${found.total === 1 ? '1 person' : `${found.total} people`}`)
  return { contact: found.member, total: found.total }
}

/** The person an email is rendered for, made up when none is named. Throws Refusal 400 naming the field. */
export async function findPreviewRecipient(
  services: TemplateServices,
  workspaceId: string,
  reader: PreviewReader,
): Promise<{ recipient: Recipient; isReal: boolean; total: number | null }> {
  const { contact, total } = await findPreviewContact(services, workspaceId, reader)
  if (!contact) return { recipient: SAMPLE, isReal: false, total }
  const { id, email, name, phone } = contact
  const attributes = contact.attributes as Record<string, AttributeValue>
  return { recipient: { id, email: email ?? '', name: name || null, phone, attributes }, isReal: true, total }
}

/** A source as one person would read it, with its problems. `html` is empty when it cannot be rendered. */
export async function previewSource(
  services: TemplateServices,
  workspaceId: string,
  source: Source,
  reader: PreviewReader,
) {
  checkSize(source)
  const { recipient, isReal, total } = await findPreviewRecipient(services, workspaceId, reader)
  const footer = (await store.findFooter(services.db, workspaceId)) ?? {}
  const { problems, ...rendered } = await renderPreviewBounded(
    { workspaceId },
    toDraft(sorted(source), services.config.publicUrl, footer),
    recipient,
  )
  return {
    ...rendered,
    problems: presentProblems(problems, source),
    recipient: isReal ? { email: recipient.email, name: recipient.name ?? '' } : null,
    total,
  }
}

/** A visitor's email with sample data. Nothing of any workspace is read, and nothing is stored. */
export async function previewDemo({ config }: Pick<Services, 'config'>, turn: string, source: Source) {
  const { problems, ...rendered } = await renderPreviewBounded(
    { workspaceId: turn },
    toDraft(sorted(source), config.publicUrl, {}),
    SAMPLE,
  )
  return { ...rendered, problems: presentProblems(problems, source), recipient: null, total: null }
}

export async function previewTemplate(
  services: TemplateServices,
  workspaceId: string,
  id: string,
  reader: PreviewReader,
) {
  return previewSource(services, workspaceId, await find(services, workspaceId, id), reader)
}
