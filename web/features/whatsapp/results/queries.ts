import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { whatsappStats } from '#contracts/whatsapp-stats.ts'
import { api } from '#web/api.ts'
import { type Period, rangeOf } from './period.ts'

export interface StatsFilter {
  period: Period
  accountId?: string | undefined
  campaignId?: string | undefined
  template?: string | undefined
}

/** The filter as the API takes it, reckoned from now. */
export function statsQuery({ period, ...filter }: StatsFilter) {
  return { ...rangeOf(period), ...filter }
}

/** What became of WhatsApp messages; asked again while the page is open, because webhooks go on coming. */
export function useStats(filter: StatsFilter) {
  return useQuery({
    queryKey: ['whatsapp', 'stats', filter],
    queryFn: () => api(whatsappStats.show, { query: statsQuery(filter) }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
}
