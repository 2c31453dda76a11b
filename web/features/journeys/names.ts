import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { describeFilter, useFindField, useLists, useSegments, useTags } from '#web/features/contacts/index.ts'

/** The names behind the ids of a definition. A name that is not known yet is "…"; one that was deleted says so. */
export interface Names {
  list: (id: string) => string
  tag: (id: string) => string
  segment: (id: string) => string
  /** The label of a custom field. */
  field: (name: string) => string
  /** A filter in words. */
  filter: (filter: ContactFilter) => string
}

interface Named {
  data: { items: { id: string; name: string }[]; nextCursor: string | null } | undefined
}

function toFinder({ data }: Named, deleted: string): (id: string) => string {
  const names = new Map(data?.items.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? (data?.nextCursor === null ? deleted : '…')
}

/** The names of the workspace. */
export function useNames(): Names {
  const [lists, tags, segments] = [useLists(), useTags(), useSegments()]
  const findField = useFindField()
  const named = {
    list: toFinder(lists, 'Deleted list'),
    tag: toFinder(tags, 'Deleted tag'),
    field: (name: string) => findField(name)?.label ?? name,
  }
  return {
    ...named,
    segment: toFinder(segments, 'Deleted segment'),
    filter: (filter) => describeFilter(filter, named),
  }
}
