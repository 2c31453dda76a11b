import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin } from '#contracts/admin/admin.ts'
import type { Input } from '#contracts/endpoint.ts'
import { api } from '#web/api.ts'

const REFRESH_MS = 5_000

/** One page of users. The old page stays in sight while the next one comes. */
export function useUsers(query: Input<typeof admin.users>['query']) {
  return useQuery({
    queryKey: ['admin', 'users', query],
    queryFn: () => api(admin.users, { query }),
    placeholderData: keepPreviousData,
  })
}

/** One user with the figures of their workspace; nothing is read without an id. */
export function useAdminUser(id: string) {
  return useQuery({
    queryKey: ['admin', 'user', id],
    queryFn: () => api(admin.user, { params: { id } }),
    enabled: id !== '',
  })
}

/**
 * Something an admin does to a user: afterwards lists, the user and the log are read anew, also when it was refused.
 * `onSuccess` is called even where reading anew takes the component away.
 */
export function useUserAction<T, R>(act: (given: T) => Promise<R>, onSuccess?: (result: R) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess,
    onSettled: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  })
}

/** How the installation is, read again every five seconds while the page is in sight. */
export function useHealth() {
  return useQuery({ queryKey: ['admin-health'], queryFn: () => api(admin.health), refetchInterval: REFRESH_MS })
}

/** One page of the audit log. */
export function useAudit(query: Input<typeof admin.audit>['query']) {
  return useQuery({
    queryKey: ['admin', 'audit', query],
    queryFn: () => api(admin.audit, { query }),
    placeholderData: keepPreviousData,
  })
}
