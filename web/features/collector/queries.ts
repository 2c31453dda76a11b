import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type CollectorKind, type CollectorState, collector, type SkipReason } from '#contracts/collector/collector.ts'
import type { Input, ResponseBody } from '#contracts/endpoint.ts'
import { api } from '#web/api.ts'

/** Whether a crawl job moves by itself. */
export const isMoving = (state: CollectorState): boolean => state === 'queued' || state === 'running'

/** One page of earlier crawl jobs; asked again while one of them moves. */
export function useJobs(query: { kind: CollectorKind; cursor?: string | undefined; limit?: number }) {
  return useQuery({
    queryKey: ['crawl-jobs', 'list', query],
    queryFn: () => api(collector.list, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.items.some((job) => isMoving(job.state)) ? 3_000 : false),
  })
}

/** One crawl job with its counts. */
export function useJob(id: string) {
  return useQuery({ queryKey: ['crawl-jobs', id], queryFn: () => api(collector.get, { params: { id } }) })
}

/** What was found, counted; asked again while it grows. */
export function useFigures(id: string, state: CollectorState) {
  return useQuery({
    queryKey: ['crawl-jobs', id, 'figures'],
    queryFn: () => api(collector.figures, { params: { id } }),
    refetchInterval: isMoving(state) ? 3_000 : false,
  })
}

/** Pages that were not read, by their reason or all of them. */
export function useSkips(id: string, reason: SkipReason | undefined) {
  return useInfiniteQuery({
    queryKey: ['crawl-jobs', id, 'skips', reason],
    queryFn: ({ pageParam }) =>
      api(collector.skips, { params: { id }, query: { reason, cursor: pageParam, limit: 100 } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  })
}

/** Which results, in which order. */
export type ResultQuery = Omit<NonNullable<Input<typeof collector.results>['query']>, 'limit' | 'cursor'>

const PAGE = 250
export const resultsKey = (id: string, query?: ResultQuery) => ['crawl-jobs', id, 'results', ...(query ? [query] : [])]

/** The results page by page, as far as somebody has scrolled. They change only when told: an older result stays as it is. */
export function useResults(id: string, query: ResultQuery) {
  return useInfiniteQuery({
    queryKey: resultsKey(id, query),
    queryFn: ({ pageParam }) =>
      api(collector.results, { params: { id }, query: { ...query, limit: PAGE, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}

export type ResultPages = { pages: ResponseBody<typeof collector.results>[]; pageParams: (string | undefined)[] }

/** Reads the results anew from the first page; pages further down are read again when somebody comes there. */
export function readResultsAnew(queries: QueryClient, id: string, query: ResultQuery): Promise<void> {
  queries.setQueryData<ResultPages>(
    resultsKey(id, query),
    (old) => old && { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
  )
  return queries.invalidateQueries({ queryKey: resultsKey(id, query), exact: true })
}
