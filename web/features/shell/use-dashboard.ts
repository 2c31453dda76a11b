import { useQuery } from '@tanstack/react-query'
import { campaigns } from '#contracts/campaigns.ts'
import { dashboard } from '#contracts/dashboard.ts'
import { api } from '#web/api.ts'

/** What happened lately, what comes next and what is done of the way to a first campaign. */
export function useDashboard() {
  return useQuery({ queryKey: ['dashboard'], queryFn: () => api(dashboard.show) })
}

/** The last five e-mail campaigns. */
export function useLatestCampaigns() {
  return useQuery({
    queryKey: ['dashboard', 'campaigns'],
    queryFn: async () => (await api(campaigns.list, { query: { channel: 'email', limit: 5 } })).items,
  })
}
