import { ATTRIBUTE, type Condition, type ContactFilter, isGroup } from '#contracts/contacts/conditions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { removedNames } from '../fields/fields-store.ts'

interface Reference {
  noun: 'list' | 'tag' | 'campaign' | 'field'
  /** Of a field, its name. */
  id: string
  /** Where it stands, such as items.0.value. */
  field: string
}

function toReference({ field, is, value }: Condition, at: string): Reference | undefined {
  if (field.startsWith(ATTRIBUTE)) return { noun: 'field', id: field.slice(ATTRIBUTE.length), field: `${at}.field` }
  const noun = field === 'list' || field === 'tag' ? field : /^(ofC|notOfC)ampaign$/.test(is) ? 'campaign' : undefined
  return noun && { noun, id: String(value), field: `${at}.value` }
}

const findReferences = (filter: ContactFilter, at: string): Reference[] =>
  filter.items.flatMap((item, index) =>
    isGroup(item) ? findReferences(item, `${at}items.${index}.`) : (toReference(item, `${at}items.${index}`) ?? []),
  )

async function knownIds(db: Db, workspaceId: string, noun: Reference['noun'], ids: string[]): Promise<Set<string>> {
  if (noun === 'field') {
    // A custom field need not be defined, but it may have been removed.
    const removed = await removedNames(db, workspaceId, ids)
    return new Set(ids.filter((id) => !removed.has(id)))
  }
  const tables = { list: 'lists', tag: 'tags', campaign: 'campaigns' } as const
  let query = db.selectFrom(tables[noun]).where('workspaceId', '=', workspaceId).where('id', 'in', ids).select('id')
  if (noun === 'campaign') query = query.where('deletedAt' as never, 'is', null)
  return new Set((await query.execute()).map(({ id }) => id))
}

/** The conditions of a filter over what the workspace does not have, or no longer; the same whether another workspace has it. */
export async function findMissing(
  db: Db,
  workspaceId: string,
  filter: ContactFilter,
): Promise<{ field: string; message: string }[]> {
  const references = findReferences(filter, '')
  const missing: Reference[] = []
  for (const noun of ['list', 'tag', 'campaign', 'field'] as const) {
    const ofNoun = references.filter((reference) => reference.noun === noun)
    if (ofNoun.length === 0) continue
    const known = await knownIds(db, workspaceId, noun, [...new Set(ofNoun.map(({ id }) => id))])
    missing.push(...ofNoun.filter(({ id }) => !known.has(id)))
  }
  return missing.map(({ noun, id, field }) => ({
    field,
    message:
      noun === 'field'
        ? `names the custom field ${id}, which was deleted`
        : `names a ${noun} that does not exist in this workspace`,
  }))
}

/** Refuses a filter over what the workspace does not have, and names the condition: `field` is the filter's own name. */
export async function requireReferences(
  db: Db,
  workspaceId: string,
  field: string,
  filter: ContactFilter,
): Promise<void> {
  const [first] = await findMissing(db, workspaceId, filter)
  if (first) throw invalid(`${field}.${first.field}`, first.message)
}
