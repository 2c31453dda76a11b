import type { z } from 'zod'
import { TEMPLATE_LIMIT, type Template, type TemplateProblem, type templates } from '#contracts/templates.ts'
import type { AttributeValue, Recipient } from '#server/engine/index.ts'
import { conflict, invalid, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { draftOf, presentProblems, problemsOf, type Source } from './problems.ts'
import { renderPreviewBounded } from './renderer.ts'
import * as store from './store.ts'
import { isMjml, tooLarge } from './upload.ts'

type Context = Pick<Services, 'db' | 'config'>
type Listed = Omit<Template, 'html' | 'mjml' | 'problems'>

function presentListed(row: Pick<store.TemplateRow, 'id' | 'name' | 'subject' | 'createdAt' | 'updatedAt'>): Listed {
  const { id, name, subject } = row
  return {
    id,
    name,
    channel: 'email',
    subject,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

async function presentTemplate(services: Context, row: store.TemplateRow): Promise<Template> {
  return {
    ...presentListed(row),
    html: row.html,
    mjml: row.mjml,
    problems: await problemsOf(row, services.config.publicUrl),
  }
}

/** The contract counts characters; what is stored and sent are bytes. */
function checkSize(source: { html?: string | undefined; mjml?: string | undefined }): void {
  for (const field of ['html', 'mjml'] as const)
    if (Buffer.byteLength(source[field] ?? '') > TEMPLATE_LIMIT) throw tooLarge(field)
}

/** MJML given as HTML is still MJML. */
function sorted<S extends { html?: string | undefined; mjml?: string | undefined }>(source: S): S {
  return source.html && !source.mjml?.trim() && isMjml(source.html)
    ? { ...source, html: '', mjml: source.html }
    : source
}

async function find(services: Context, workspaceId: string, id: string): Promise<store.TemplateRow> {
  const row = await store.templateById(services.db, workspaceId, id)
  if (!row) throw notFound('Template')
  return row
}

export async function showTemplate(services: Context, workspaceId: string, id: string): Promise<Template> {
  return presentTemplate(services, await find(services, workspaceId, id))
}

/** Saves a template whatever is wrong with it: nothing a person wrote is lost, and its problems are told with it. */
export async function createTemplate(
  services: Context,
  workspaceId: string,
  fields: store.TemplateFields,
): Promise<Template> {
  checkSize(fields)
  const { name, subject, html, mjml } = sorted(fields)
  return presentTemplate(services, await store.insertTemplate(services.db, workspaceId, { name, subject, html, mjml }))
}

export async function changeTemplate(
  services: Context,
  workspaceId: string,
  id: string,
  change: z.output<typeof templates.update.body>,
): Promise<Template> {
  checkSize(change)
  const { channel: _, ...given } = sorted(change)
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const row = await store.updateTemplate(services.db, workspaceId, id, fields)
  if (!row) throw notFound('Template')
  return presentTemplate(services, row)
}

/** Removes a template. Throws Refusal 404, or 409 while a scheduled campaign waits for its content. */
export async function removeTemplate(services: Context, workspaceId: string, id: string): Promise<void> {
  await find(services, workspaceId, id)
  if (await store.deleteTemplate(services.db, workspaceId, id)) return
  throw conflict('template_in_use', 'A scheduled campaign uses this template. Send or cancel that campaign first.')
}

/** Newest first. */
export async function listTemplates(
  services: Context,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
) {
  if (page.cursor !== undefined && !/^[1-9]\d{0,18}$/.test(page.cursor)) throw invalid('cursor', 'is not one of ours')
  const rows = await store.templatePage(services.db, workspaceId, {
    limit: page.limit + 1,
    ...(page.cursor && { before: page.cursor }),
  })
  const shown = rows.slice(0, page.limit)
  return {
    items: shown.map(presentListed),
    nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
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

async function recipientOf(services: Context, workspaceId: string, contactId: string | undefined): Promise<Recipient> {
  if (contactId === undefined) return SAMPLE
  const contact = await store.contactForPreview(services.db, workspaceId, contactId)
  if (!contact) throw invalid('contactId', 'does not name one of your contacts')
  const { id, email, name, phone } = contact
  return {
    id,
    email: email ?? '',
    name: name || null,
    phone,
    attributes: contact.attributes as Record<string, AttributeValue>,
  }
}

/** A source as one person would read it, with its problems. `html` is empty when it cannot be rendered. */
export async function previewSource(
  services: Context,
  workspaceId: string,
  source: Source,
  contactId: string | undefined,
): Promise<{ subject: string; html: string; text: string; problems: TemplateProblem[] }> {
  checkSize(source)
  const recipient = await recipientOf(services, workspaceId, contactId)
  const footer = (await store.footerOf(services.db, workspaceId)) ?? {}
  const { problems, ...rendered } = await renderPreviewBounded(
    draftOf(sorted(source), services.config.publicUrl, footer),
    recipient,
  )
  return { ...rendered, problems: presentProblems(problems, source) }
}

export async function previewTemplate(
  services: Context,
  workspaceId: string,
  id: string,
  contactId: string | undefined,
) {
  return previewSource(services, workspaceId, await find(services, workspaceId, id), contactId)
}
