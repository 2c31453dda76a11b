import type { z } from 'zod'
import { ATTRIBUTE } from '#contracts/contacts/conditions.ts'
import { type Form, type forms, MAX_FORMS } from '#contracts/contacts/forms.ts'
import { randomToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { defineFields } from '../fields/fields.ts'
import { requireLists } from '../lists/lists.ts'
import { requireTags } from '../tags/tags.ts'
import { buildEmbed } from './embed.ts'
import * as store from './forms-store.ts'
import { findInputs } from './inputs.ts'

type FormServices = Pick<Services, 'db' | 'config'>
type NewForm = z.output<typeof forms.create.body>
type ChangedForm = z.output<typeof forms.update.body>

async function present({ config, db }: FormServices, row: store.FormRow): Promise<Form> {
  const { workspaceId: _, listIds, tagIds, ...rest } = row
  return {
    ...rest,
    lists: listIds,
    tags: tagIds,
    url: `${config.publicUrl}/f/${row.slug}`,
    embed: buildEmbed(config.publicUrl, row, await findInputs(db, row)),
    views: Number(row.views),
    submissions: Number(row.submissions),
    confirmations: Number(row.confirmations),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The forms of a workspace in the order they were made. */
export async function listForms(
  services: FormServices,
  workspaceId: string,
  page: { limit: number; after?: string },
): Promise<Form[]> {
  const shown: Form[] = []
  for (const row of await store.formPage(services.db, workspaceId, page)) shown.push(await present(services, row))
  return shown
}

/** One form; a refusal (404) when there is none. */
export async function showForm(services: FormServices, workspaceId: string, id: string): Promise<Form> {
  const row = await store.formById(services.db, workspaceId, id)
  if (!row) throw notFound('Form')
  return present(services, row)
}

/** A name as a slug nobody else has: ASCII words, and a few random characters. */
function makeSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const ending = randomToken()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 6)
  return `${(words ?? ['form']).join('-').slice(0, 50).replace(/-$/, '')}-${ending}`
}

/** Refuses lists and tags the workspace does not have, and a slug that is taken; custom fields that are new are made. */
async function check(db: Db, workspaceId: string, form: Partial<ChangedForm>, own = '0'): Promise<void> {
  const custom = form.fields?.flatMap(({ name }) => (name.startsWith(ATTRIBUTE) ? [name.slice(ATTRIBUTE.length)] : []))
  if (custom) await defineFields(db, workspaceId, custom)
  await requireLists(db, workspaceId, 'lists', form.lists ?? [])
  await requireTags(db, workspaceId, 'tags', form.tags ?? [])
  if (form.slug !== undefined && !(await store.holdSlug(db, form.slug, own)))
    throw conflict('slug_taken', 'Another form has this address. Choose another slug.')
}

/** Creates a form. Throws Refusal 400 and 409. */
export async function createForm(services: FormServices, workspaceId: string, given: NewForm): Promise<Form> {
  const { lists, tags, ...rest } = { ...given, slug: given.slug ?? makeSlug(given.name) }
  const id = await services.db.transaction().execute(async (db) => {
    await check(db, workspaceId, { lists, tags, slug: rest.slug, fields: rest.fields })
    if ((await store.countForms(db, workspaceId)) >= MAX_FORMS)
      throw conflict('too_many_forms', `A workspace has at most ${MAX_FORMS} forms. Delete one first.`)
    return store.insertForm(db, workspaceId, { ...rest, listIds: lists, tagIds: tags })
  })
  return showForm(services, workspaceId, id)
}

/** Changes a form. Throws Refusal 400, 404 and 409. */
export async function changeForm(
  services: FormServices,
  workspaceId: string,
  id: string,
  given: ChangedForm,
): Promise<Form> {
  await showForm(services, workspaceId, id)
  const { lists, tags, ...rest } = given
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const change = { ...fields, ...(lists && { listIds: lists }), ...(tags && { tagIds: tags }) }
  await services.db.transaction().execute(async (db) => {
    await check(db, workspaceId, given, id)
    await store.updateForm(db, workspaceId, id, change)
  })
  return showForm(services, workspaceId, id)
}

/** Deletes a form. Throws Refusal 404. */
export async function removeForm(db: Db, workspaceId: string, id: string): Promise<void> {
  if (!(await store.deleteForm(db, workspaceId, id))) throw notFound('Form')
}
