/** What a definition names: lists, tags, segments, templates, senders, and what its filters are about. */
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import type { JourneyDefinition } from '#contracts/journeys/definition.ts'
import { findMissing, readAttributes } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid, unknownId } from '#server/platform/http/refusal.ts'
import { type StepOf, toProgram } from './program.ts'

const TABLES = { list: 'lists', tag: 'tags', segment: 'segments', template: 'templates', sender: 'senders' } as const
type Noun = keyof typeof TABLES

/** An id that stands in a definition. */
interface Reference {
  noun: Noun
  id: string
  stepId: string | null
  /** Where it stands, such as steps.0.listId. */
  path: string
}

/** What is missing in a definition, or wrong with it. */
export interface Fault {
  stepId: string | null
  /** Where it stands in the definition, such as steps.0.listId. */
  path: string
  /** A predicate, such as "names a list that was deleted". */
  message: string
}

function findTriggerReference({ trigger }: JourneyDefinition): Reference[] {
  const at = (noun: Noun, id: string | null): Reference[] =>
    id === null ? [] : [{ noun, id, stepId: null, path: `trigger.${noun}Id` }]
  switch (trigger.kind) {
    case 'joined_list':
      return at('list', trigger.listId)
    case 'tagged':
      return at('tag', trigger.tagId)
    case 'segment':
      return at('segment', trigger.segmentId)
    default:
      return []
  }
}

function findReferences(definition: JourneyDefinition): Reference[] {
  const ofSteps = [...toProgram(definition).steps.values()].flatMap(({ step, path }): Reference[] => {
    const at = (noun: Noun, id: string | null): Reference[] =>
      id === null ? [] : [{ noun, id, stepId: step.id, path: `${path}.${noun}Id` }]
    switch (step.kind) {
      case 'email':
        return [...at('template', step.templateId), ...at('sender', step.senderId)]
      case 'tag':
      case 'untag':
        return at('tag', step.tagId)
      case 'add_to_list':
      case 'remove_from_list':
        return at('list', step.listId)
      default:
        return []
    }
  })
  return [...findTriggerReference(definition), ...ofSteps]
}

/** The filters of a definition with the steps they belong to. */
function findFilters(definition: JourneyDefinition): { stepId: string | null; path: string; filter: ContactFilter }[] {
  const { entryFilter, goal } = definition
  return [
    ...(entryFilter ? [{ stepId: null, path: 'entryFilter', filter: entryFilter }] : []),
    ...(goal ? [{ stepId: null, path: 'goal', filter: goal }] : []),
    ...[...toProgram(definition).steps.values()].flatMap(({ step, path }) =>
      step.kind === 'branch' ? [{ stepId: step.id, path: `${path}.filter`, filter: step.filter }] : [],
    ),
  ]
}

async function findMissingIds(db: Db, workspaceId: string, references: Reference[]): Promise<Fault[]> {
  const missing: Fault[] = []
  for (const [noun, some] of Map.groupBy(references, (one) => one.noun)) {
    const ids = [...new Set(some.map(({ id }) => id))]
    const rows = await db
      .selectFrom(TABLES[noun])
      .where('workspaceId', '=', workspaceId)
      .where('id', 'in', ids)
      .select('id')
      .execute()
    const known = new Set(rows.map(({ id }) => id))
    for (const { id, stepId, path } of some)
      if (!known.has(id)) missing.push({ stepId, path, message: `names a ${noun} that was deleted` })
  }
  return missing
}

/** What of the definition the workspace does not have, or no longer. */
export async function findMissingReferences(
  db: Db,
  workspaceId: string,
  definition: JourneyDefinition,
): Promise<Fault[]> {
  const missing = await findMissingIds(db, workspaceId, findReferences(definition))
  const filters = findFilters(definition)
  // All filters as the groups of one: a question for each kind of thing, and not for each filter.
  const all: ContactFilter = { op: 'and', items: filters.map(({ filter }) => filter) }
  for (const { field, message } of await findMissing(db, workspaceId, all)) {
    const [, index, rest] = /^items\.(\d+)\.(.+)$/.exec(field) ?? []
    const of = filters[Number(index)]
    if (of) missing.push({ stepId: of.stepId, path: `${of.path}.${rest}`, message })
  }
  return missing
}

/**
 * A definition as it is stored: its custom fields are read by their types. Refusal 400, naming the field, where it names what
 * the workspace does not have; the same whether another workspace has it.
 */
export async function readDefinition(
  db: Db,
  workspaceId: string,
  definition: JourneyDefinition,
): Promise<JourneyDefinition> {
  const [first] = await findMissingReferences(db, workspaceId, definition)
  if (first?.path.endsWith('Id')) throw unknownId(`definition.${first.path}`)
  if (first) throw invalid(`definition.${first.path}`, first.message)
  const copy = structuredClone(definition)
  const setters = [...toProgram(copy).steps.values()].flatMap(({ step, path }) =>
    step.kind === 'set_field' ? [{ step: step as StepOf<'set_field'>, path }] : [],
  )
  for (const { step, path } of setters)
    step.attributes = await readAttributes(db, workspaceId, `definition.${path}.attributes`, step.attributes)
  return copy
}
