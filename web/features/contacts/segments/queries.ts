import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { events } from '#contracts/contacts/events.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { api } from '#web/api.ts'
import { readAll, sortByName } from '#web/query.ts'

/** Every segment of the workspace, by name. */
export function useSegments() {
  return useQuery({
    queryKey: ['segments'],
    queryFn: () => readAll((page) => api(segments.list, { query: page })),
    select: sortByName,
  })
}

/** One segment. */
export function useSegment(id: string | undefined) {
  return useQuery({
    queryKey: ['segments', id],
    queryFn: () => api(segments.get, { params: { id: id ?? '' } }),
    enabled: id !== undefined,
    // What is being edited is not replaced by what is stored.
    refetchOnWindowFocus: false,
  })
}

/** The campaigns to choose one of, the latest first. */
export function useLatestCampaigns() {
  return useQuery({
    queryKey: ['campaigns', 'latest'],
    queryFn: () => readAll((page) => api(campaigns.list, { query: page })),
    staleTime: 60_000,
  })
}

/** The names of custom events that were recorded. */
export function useEventNames() {
  return useQuery({ queryKey: ['events', 'names'], queryFn: () => api(events.names), staleTime: 60_000 })
}

/** How many contacts a filter finds, and the newest of them. The former answer stays in sight until the next one comes. */
export function usePreview(filter: ContactFilter | undefined) {
  return useQuery({
    queryKey: ['contacts', 'preview', filter],
    queryFn: () => api(segments.preview, { body: { filter: filter ?? { op: 'and', items: [] } } }),
    enabled: filter !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
