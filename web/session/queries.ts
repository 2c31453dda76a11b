import { useQuery } from '@tanstack/react-query'
import { accounts } from '#contracts/accounts/accounts.ts'
import { billing } from '#contracts/billing/billing.ts'
import { isPaid } from '#contracts/billing/plans.ts'
import { ApiError } from '#contracts/client.ts'
import { api } from '#web/api.ts'
import { setOwnZone } from '#web/ui/lib/zoned-time.ts'

/** The texts of a failure are fixed in docs/specification.md, 8; the shell ends the session then. */
async function fetchUser() {
  try {
    const user = await api(accounts.user)
    setOwnZone(user.timeZone)
    return user
  } catch (error) {
    // A connection that was lost for a moment is tried again by the query before it counts as failed.
    if (!(error instanceof ApiError)) throw error
    throw new Error(error.status === 401 ? 'Unauthorized' : `Authentication failed: ${error.status}`)
  }
}

/** The signed-in user. Inside the shell `data` is always there. */
export function useUser(enabled = true) {
  return useQuery({ queryKey: ['user'], queryFn: fetchUser, staleTime: 60_000, enabled })
}

/** Where the user reads test emails; empty: the first administrator of an installation without a domain has an address that no email reaches. */
export function useTestAddress(): string {
  const email = useUser().data?.email ?? ''
  return email.endsWith('@localhost') ? '' : email
}

/** The plan, its limits and what is used of them this month. */
export function useSubscription(enabled = true) {
  return useQuery({ queryKey: ['subscription'], queryFn: () => api(billing.status), staleTime: 30_000, enabled })
}

/** The current plan's name and whether it is paid; undefined while nobody knows yet. */
export function usePlan(): { name: string; paid: boolean } | undefined {
  const user = useUser()
  const subscription = useSubscription()
  const name = subscription.data?.currentPlan ?? (subscription.isError ? user.data?.currentPlan : undefined)
  return name === undefined ? undefined : { name, paid: isPaid(name) }
}
