import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { search } from '#contracts/search/search.ts'
import { api } from '#web/api.ts'

/** Contacts, campaigns, templates and journeys that hold the text; nothing is asked for less than two characters. */
export function useSearchResults(text: string) {
  const q = text.trim().slice(0, 100)
  return useQuery({
    queryKey: ['search', q],
    queryFn: () => api(search.find, { query: { q } }),
    enabled: q.length >= 2,
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  })
}
