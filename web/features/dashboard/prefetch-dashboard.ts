import { accounts } from '#contracts/accounts/accounts.ts'
import { billing } from '#contracts/billing/billing.ts'
import { apiClient } from '#contracts/client.ts'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { sampleData } from '#contracts/samples/samples.ts'
import { system } from '#contracts/system/system.ts'
import { SAMPLES_KEY } from '#web/features/samples/index.ts'
import { queryClient } from '#web/query.ts'
import { activityKey } from './queries.ts'

/**
 * Reads what the dashboard shows first, while another screen is still in front of it. Nobody has vouched for the token
 * yet, so a refusal ends no session here: what could not be read, the dashboard asks for itself and says what failed.
 */
export function prefetchDashboard(token: string): void {
  const call = apiClient((path, init) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return fetch(path, { ...init, headers })
  })
  const read = (queryKey: readonly string[], reply: Promise<unknown>) =>
    void reply.then(
      (data) => queryClient.setQueryData(queryKey, data),
      () => undefined,
    )
  read(['user'], call(accounts.user))
  read(['subscription'], call(billing.status))
  read(['system'], call(system.info))
  read(['dashboard'], call(dashboard.show))
  read(SAMPLES_KEY, call(sampleData.get))
  read(activityKey(), call(dashboard.activity, { query: {} }))
}
