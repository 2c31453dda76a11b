import { useQuery } from '@tanstack/react-query'
import { bounceSources } from '#contracts/bounces/bounces.ts'
import { api } from '#web/api.ts'

/** Milliseconds between two looks: the first event of a service is waited for. */
const REFRESH_MS = 10_000

/** Every bounce source of the workspace. */
export function useBounceSources() {
  return useQuery({
    queryKey: ['bounce-sources'],
    queryFn: () => api(bounceSources.list, { query: { limit: 200 } }),
    refetchInterval: REFRESH_MS,
  })
}
