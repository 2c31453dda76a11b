import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { api } from '#web/api.ts'

/** How far the first campaign is. */
export function useDashboard() {
  return useQuery({ queryKey: ['dashboard'], queryFn: () => api(dashboard.show) })
}

interface ActivityChoice {
  channel?: 'email' | 'gmail' | 'whatsapp' | undefined
  days: '30' | '90'
}

/** The key of the activity of a choice; of all channels and 30 days without one. */
export const activityKey = ({ channel, days }: ActivityChoice = { days: '30' }) => ['dashboard', channel ?? '', days]

/** What campaigns did lately, what comes next and what needs the user. */
export function useActivity(choice: ActivityChoice) {
  return useQuery({
    queryKey: activityKey(choice),
    queryFn: () => api(dashboard.activity, { query: choice }),
    placeholderData: keepPreviousData,
  })
}
