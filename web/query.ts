import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contracts/client.ts'
import { onSessionChange, storedToken } from './session.ts'

/** What signed-in pages have read from the API. A refusal is final; a lost connection is tried twice more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => error instanceof TypeError && !(error instanceof ApiError) && failures < 2,
    },
  },
})

/** Forgets everything read for one user when another token, or none, takes its place. Returns the way to stop. */
export function forgetOnSessionChange(): () => void {
  let known = storedToken()
  return onSessionChange(() => {
    const token = storedToken()
    if (known && token !== known) queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'user' || !token })
    known = token
  })
}
