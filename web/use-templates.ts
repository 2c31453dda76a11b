import { useQuery } from '@tanstack/react-query'
import { templates } from '#contracts/templates/templates.ts'
import { api } from './api.ts'
import { readAll, sortByName } from './query.ts'

/**
 * The templates of the workspace by name, without their sources. It is no part of the feature, because lists of contacts choose a template
 * and the editor of templates shows contacts.
 */
export function useTemplates() {
  return useQuery({
    queryKey: ['templates'],
    queryFn: () => readAll((page) => api(templates.list, { query: page })),
    select: sortByName,
  })
}
