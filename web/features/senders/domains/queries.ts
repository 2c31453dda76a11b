import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sandboxDns } from '#contracts/sandbox/dns.ts'
import { domains, type SendingDomain } from '#contracts/senders/domains.ts'
import type { LoopbackCheck } from '#contracts/senders/loopback.ts'
import { api } from '#web/api.ts'
import { readAll, storeResult } from '#web/query.ts'

/** Milliseconds between two looks at domains that are checked in the background. */
const REFRESH_MS = 20_000
/** The same before the first check, which comes within seconds. */
const FIRST_MS = 2_000

/** Every sending domain of the workspace. */
export function useDomains() {
  return useQuery({
    queryKey: ['domains'],
    queryFn: () => readAll((page) => api(domains.list, { query: page })),
    refetchInterval: REFRESH_MS,
  })
}

/** One of them. */
export function useDomain(id: string) {
  return useQuery({
    queryKey: ['domains', id],
    queryFn: () => api(domains.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.checkedAt === null ? FIRST_MS : REFRESH_MS),
  })
}

/** Milliseconds between two looks while an email is on its way. */
const AWAITED_MS = 1_500

/** The last real email that a domain was checked with. */
export function useLoopback(id: string) {
  return useQuery({
    queryKey: ['domains', id, 'loopback'],
    queryFn: () => api(domains.loopback, { params: { id } }),
    refetchInterval: ({ state }) => (isAwaited(state.data?.check) ? AWAITED_MS : false),
  })
}

/** Whether a check has no result yet. */
export const isAwaited = (check: LoopbackCheck | null | undefined): boolean =>
  check?.state === 'sending' || check?.state === 'sent'

/** Sends one. */
export function useLoopbackStart(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (senderId: string) => api(domains.startLoopback, { params: { id }, body: { senderId } }),
    // What is refused may be so because somebody else started one.
    onSettled: () => queries.invalidateQueries({ queryKey: ['domains', id, 'loopback'] }),
  })
}

const actions = {
  check: domains.check,
  rotate: domains.rotate,
  publish: sandboxDns.publish,
  withdraw: sandboxDns.withdraw,
} as const

/** Does something with a domain whose result is the domain as it is then. */
export function useDomainAction(id: string, action: keyof typeof actions) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api(actions[action], { params: { id } }),
    onSuccess: (domain: SendingDomain) => {
      storeResult(queries, ['domains', id], domain)
      return queries.invalidateQueries({ queryKey: ['domains'], exact: true })
    },
  })
}
