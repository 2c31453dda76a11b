import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '#contracts/client.ts'
import { decodeClaims, onSessionChange, storedToken } from './session/session.ts'

/** What signed-in pages have read from the API. A refusal is final; a lost connection is tried twice more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => error instanceof TypeError && !(error instanceof ApiError) && failures < 2,
    },
  },
})

/**
 * Asks again for what changed. A first response that is still under way may be from before the change, and it would count as
 * fresh: it is waited for.
 */
export async function reload(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const underWay = queries
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined })
  await Promise.allSettled(underWay.map(({ promise }) => promise))
  await queries.invalidateQueries({ queryKey })
}

let owner: unknown

/** Forgets what was read for one user when the session ends or another user's begins. What failed stays until then, so that it can be said. */
function forgetOtherSessions(): void {
  const token = storedToken()
  const failed = queryClient.getQueryState(['user'])?.status === 'error'
  if (!token) {
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'user' || !failed })
    return
  }
  const next = decodeClaims(token)?._id
  if (failed || next !== owner) queryClient.clear()
  owner = next
}

// Nothing is read on the server, so there is nothing to forget there.
if (typeof document !== 'undefined') {
  owner = decodeClaims(storedToken() ?? '')?._id
  onSessionChange(forgetOtherSessions)
}
