import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { whatsappStats } from '#contracts/whatsapp/reports.ts'
import { api } from '#web/api.ts'
import { ownZone } from '#web/ui/lib/zoned-time.ts'
import { type Period, type Step, toRange } from './period.ts'

export interface StatsFilter {
  period: Period
  accountId?: string | undefined
  campaignId?: string | undefined
  template?: string | undefined
}

/** The filter as the API takes it, reckoned from now. */
export function statsQuery({ period, ...filter }: StatsFilter) {
  return { ...toRange(period), ...filter }
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

const DAY = 86_400_000

/** What became of one campaign's messages, from its start on: by the hour for two days, then by the day. */
export function useCampaignStats({ id, startedAt, createdAt, state }: Campaign) {
  const since = startedAt ?? createdAt
  return useQuery({
    queryKey: ['whatsapp', 'stats', 'campaign', id, since, state],
    queryFn: async () => {
      const age = Date.now() - Date.parse(since)
      const step: Step = age < 2 * DAY ? 'hour' : 'day'
      // The server looks back 400 days at most.
      const from = new Date(Math.max(Date.parse(since), Date.now() - 399 * DAY)).toISOString()
      return {
        stats: await api(whatsappStats.show, { query: { campaignId: id, since: from, step, timeZone: ownZone() } }),
        step,
      }
    },
    placeholderData: keepPreviousData,
    refetchInterval: state === 'sending' ? 5_000 : 15_000,
  })
}
