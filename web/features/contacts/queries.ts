import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { contacts } from '#contracts/contacts/contacts.ts'
import { type ContactField, fields } from '#contracts/contacts/fields.ts'
import type { ContactSort, ContactSource, ContactStatus } from '#contracts/contacts/filter.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { tags } from '#contracts/contacts/tags.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { api } from '#web/api.ts'
import { readAll, sortByName } from '#web/query.ts'
import { toMergeFields } from './fields/labels.ts'

/** Every list of the workspace, by name. */
export function useLists() {
  return useQuery({
    queryKey: ['lists'],
    queryFn: () => readAll((page) => api(lists.list, { query: page })),
    select: sortByName,
  })
}

/** Every tag of the workspace, by name. */
export function useTags() {
  return useQuery({
    queryKey: ['tags'],
    queryFn: () => readAll((page) => api(tags.list, { query: page })),
    select: sortByName,
  })
}

interface ContactQuery {
  q?: string | undefined
  listId?: string | undefined
  tag?: string | undefined
  segmentId?: string | undefined
  status?: ContactStatus | undefined
  source?: ContactSource | undefined
  /** The JSON of a filter. */
  filter?: string
  sort?: ContactSort
  cursor?: string | undefined
  limit?: number
}

/** One page of contacts. The old page stays in sight while the next one comes. */
export function useContacts(query: ContactQuery) {
  return useQuery({
    queryKey: ['contacts', query],
    queryFn: () => api(contacts.list, { query }),
    placeholderData: keepPreviousData,
  })
}

/** One contact, with where it was found if it was collected. */
export function useContact(id: string, enabled = true) {
  return useQuery({ queryKey: ['contacts', 'one', id], queryFn: () => api(contacts.get, { params: { id } }), enabled })
}

/** A contact with where it was found. */
export type ContactProfile = ResponseBody<typeof contacts.get>

/** Reads again what a change of contacts may have changed. */
export function useContactsRefresh() {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(['contacts', 'lists', 'tags'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }
}

/** The attribute names in use. */
export function useContactFields() {
  return useQuery({ queryKey: ['contacts', 'fields'], queryFn: () => api(contacts.fields), staleTime: 60_000 })
}

/** Every custom field of the workspace. */
export function useFields() {
  return useQuery({
    queryKey: ['fields'],
    queryFn: () => readAll((page) => api(fields.list, { query: page })),
    staleTime: 60_000,
  })
}

/** The custom field of a name; undefined: it is none, or not known yet. */
export function useFindField(): (name: string) => ContactField | undefined {
  const { data } = useFields()
  return (name) => data?.items.find((field) => field.name === name)
}

/** Custom fields as a menu of merge fields shows them. */
export function useMergeFields() {
  const names = useContactFields().data?.attributes ?? []
  return toMergeFields(names, useFields().data?.items ?? [])
}

/** One page of the addresses no campaign writes to. */
export function useSuppressions(query: { q?: string | undefined; cursor?: string | undefined }) {
  return useQuery({
    queryKey: ['suppressions', query],
    queryFn: () => api(suppressions.list, { query }),
    placeholderData: keepPreviousData,
  })
}

/** The latest imports, newest first. */
export function useImports() {
  return useQuery({ queryKey: ['imports'], queryFn: () => api(imports.list, { query: { limit: 10 } }) })
}

const importQuery = (id: string) =>
  queryOptions({ queryKey: ['imports', id], queryFn: () => api(imports.get, { params: { id } }) })

/** One import; asked again every second while it runs. */
export function useImport(id: string) {
  return useQuery({
    ...importQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data && (data.state === 'done' || data.state === 'failed') ? false : 1_000,
  })
}
