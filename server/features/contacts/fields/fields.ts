import {
  BUILT_IN_FIELDS,
  type ContactField,
  type FieldType,
  type FieldUse,
  MAX_FIELDS,
} from '#contracts/contacts/fields.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, invalid, notFound, Refusal } from '#server/platform/http/refusal.ts'
import { withinTime } from '../segments/within-time.ts'
import * as store from './fields-store.ts'
import { findUses, renameField } from './rename-store.ts'
import { describeFault, type FieldValue, readFieldValue } from './values.ts'

/** So many removed fields are remembered, for segments to name them. */
const MAX_REMOVED = 1_000

interface FieldInput {
  label?: string | undefined
  type?: FieldType | undefined
  choices?: string[] | undefined
  default?: string | undefined
}

const present = ({ defaultValue, createdAt, updatedAt, ...row }: store.FieldRow): ContactField => ({
  ...row,
  default: defaultValue,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** The fields of a workspace in the order they were made. */
export async function listFields(
  db: Db,
  workspaceId: string,
  page: { limit: number; after?: string },
): Promise<ContactField[]> {
  return (await store.fieldPage(db, workspaceId, page)).map(present)
}

/** One field; a refusal (404) when there is none. */
export async function showField(db: Db, workspaceId: string, id: string): Promise<ContactField> {
  const row = await store.fieldById(db, workspaceId, id)
  if (!row) throw notFound('Field')
  return present(row)
}

/** Refuses choices where the type has none, and a choice without them; a default has to be a value of the type. */
function requireFit({ type, choices, default: value }: { type: FieldType; choices: string[]; default: string }): void {
  if (type === 'choice' && choices.length === 0) throw invalid('choices', 'has to name at least one choice')
  if (type !== 'choice' && choices.length > 0) throw invalid('choices', 'is for fields of the type choice only')
  if (value !== '' && readFieldValue({ type, choices }, value) === undefined)
    throw invalid('default', describeFault({ type, choices }))
}

/** Creates a field. Refusal 409 where the name is taken, or where the workspace has as many as it may. */
export async function createField(
  db: Db,
  workspaceId: string,
  { name, label, type = 'text', choices = [], default: value = '' }: FieldInput & { name: string },
): Promise<ContactField> {
  requireFit({ type, choices, default: value })
  return db.transaction().execute(async (db) => {
    await store.lockFields(db, workspaceId)
    if ((await store.countFields(db, workspaceId)) >= MAX_FIELDS)
      throw conflict('too_many_fields', `A workspace has at most ${MAX_FIELDS} custom fields. Delete one first.`)
    const given = { name, label: label || name, type, choices, defaultValue: value }
    const id = await store.insertField(db, workspaceId, given)
    if (id === undefined) throw conflict('name_taken', 'Another field already has this name.')
    return showField(db, workspaceId, id)
  })
}

/**
 * Changes a field; its name only while no template, campaign, segment, form, automation, journey or import uses it. Throws Refusal 404, 409 where the
 * name is in use or taken, and 400.
 */
export async function changeField(
  db: Db,
  workspaceId: string,
  id: string,
  given: FieldInput & { name?: string | undefined },
): Promise<ContactField> {
  if (given.name !== undefined) await requireUnused(db, workspaceId, await showField(db, workspaceId, id), given.name)
  return db.transaction().execute(async (db) => {
    await store.lockFields(db, workspaceId)
    const before = await showField(db, workspaceId, id)
    const type = given.type ?? before.type
    const choices = given.choices ?? (type === 'choice' ? before.choices : [])
    const value = given.default ?? before.default
    requireFit({ type, choices, default: value })
    await store.updateField(db, workspaceId, id, {
      type,
      choices,
      defaultValue: value,
      ...(given.label !== undefined && { label: given.label }),
    })
    if (given.name !== undefined && given.name !== before.name)
      await rename(db, workspaceId, { id, from: before.name, to: given.name })
    return showField(db, workspaceId, id)
  })
}

const searchUses = (db: Db, workspaceId: string, name: string): Promise<FieldUse[]> => {
  const tooLong = 'cannot be changed: too much would have to be searched for it. Change the label instead'
  return withinTime(db, { workspaceId, field: 'name', tooLong }, (db) => findUses(db, workspaceId, name))
}

/** What uses a field by its name. Throws Refusal 404, and what a search refuses that takes too long. */
export async function listUses(db: Db, workspaceId: string, id: string): Promise<{ items: FieldUse[] }> {
  const { name } = await showField(db, workspaceId, id)
  return { items: await searchUses(db, workspaceId, name) }
}

/** Refuses (409) another name for a field that something uses. All templates are read for it: in turn, before others wait for the fields. */
async function requireUnused(db: Db, workspaceId: string, { name }: ContactField, to: string): Promise<void> {
  if (to === name) return
  const uses = await searchUses(db, workspaceId, name)
  if (uses.length === 0) return
  const message = `is used by ${describeUses(uses)}. Change that first, or keep the name and change the label`
  throw new Refusal(409, 'field_in_use', `The name ${message}.`, { details: [{ field: 'name', message }] })
}

async function rename(db: Db, workspaceId: string, change: { id: string; from: string; to: string }): Promise<void> {
  const result = await renameField(db, workspaceId, change)
  if (result === 'taken') throw conflict('name_taken', 'Another field or value already has this name.')
  if (result === 'too_many')
    throw conflict('too_many_values', 'Too many contacts have a value in this field. Change its label instead.')
}

/** "the template “News”, the segment “Friends” and more". */
function describeUses(uses: FieldUse[]): string {
  const MAX_NAMED = 5
  const named = uses
    .slice(0, MAX_NAMED)
    .map(({ kind, name }) => `the ${kind === 'block' ? 'saved block' : kind} “${name}”`)
  const all = uses.length > MAX_NAMED ? [...named, 'more'] : named
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(all)
}

/** Removes a field; contacts lose their values afterwards, with clearValues. */
export async function removeField(db: Db, workspaceId: string, id: string): Promise<void> {
  if (!(await store.markRemoved(db, workspaceId, id))) throw notFound('Field')
  await store.forgetRemoved(db, workspaceId, MAX_REMOVED)
}

/** Makes text fields of names that contacts are about to have, as far as there is room: a value without a field stays text. */
export async function defineFields(db: Db, workspaceId: string, names: readonly string[]): Promise<void> {
  const own = names.filter((name) => !(BUILT_IN_FIELDS as readonly string[]).includes(name))
  const known = await store.fieldRules(db, workspaceId, own)
  const missing = own.filter((name) => !known.has(name))
  if (missing.length === 0) return
  await store.lockFields(db, workspaceId)
  const room = MAX_FIELDS - (await store.countFields(db, workspaceId))
  if (room > 0) await store.insertTextFields(db, workspaceId, missing, room)
}

/**
 * Values of custom fields as they are stored, by their types; new names become text fields. Refusal 400 names the value that
 * its type does not take: `field` is where the values stand, such as attributes.
 */
export async function readAttributes(
  db: Db,
  workspaceId: string,
  field: string,
  attributes: Record<string, FieldValue>,
): Promise<Record<string, FieldValue>> {
  const names = Object.keys(attributes)
  if (names.length === 0) return attributes
  const rules = await store.fieldRules(db, workspaceId, names)
  const values = Object.entries(attributes).map(([name, value]): [string, FieldValue] => {
    const rule = rules.get(name)
    const read = rule ? readFieldValue(rule, value) : value
    if (rule && read === undefined) throw invalid(`${field}.${name}`, describeFault(rule))
    return [name, read ?? null]
  })
  if (rules.size < names.length)
    await defineFields(
      db,
      workspaceId,
      names.filter((name) => attributes[name] !== null),
    )
  return Object.fromEntries(values)
}
