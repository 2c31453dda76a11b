import { useQuery } from '@tanstack/react-query'
import { listCampaigns } from '#contracts/campaigns/list.ts'
import type { ApiClient } from '#contracts/client.ts'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { api } from '#web/api.ts'

/** What happened lately, what comes next and what is done of the way to a first campaign. */
export function useDashboard() {
  return useQuery({ queryKey: ['dashboard'], queryFn: () => api(dashboard.show) })
}

export const LATEST_CAMPAIGNS_KEY = ['dashboard', 'campaigns']

/** The last five email campaigns, as the session of `call` reads them. */
export const fetchLastCampaigns = async (call: ApiClient) =>
  (await call(listCampaigns, { query: { channel: 'email', limit: 5 } })).items

/** The last five email campaigns of the signed-in user. */
export function useLatestCampaigns() {
  return useQuery({ queryKey: LATEST_CAMPAIGNS_KEY, queryFn: () => fetchLastCampaigns(api) })
}
