import { useQuery } from '@tanstack/react-query'
import { bounceSources } from '#contracts/bounces/bounces.ts'
import { api } from '#web/api.ts'
import { readAll } from '#web/query.ts'

/** Milliseconds between two looks: the first event of a service is waited for. */
const REFRESH_MS = 10_000

/** Every bounce source of the workspace. */
export function useBounceSources() {
  return useQuery({
    queryKey: ['bounce-sources'],
    queryFn: () => readAll((page) => api(bounceSources.list, { query: page })),
    refetchInterval: REFRESH_MS,
  })
}
