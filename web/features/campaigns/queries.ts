import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Campaign, CampaignState } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import type { Input } from '#contracts/endpoint.ts'
import { api } from '#web/api.ts'
import type { Channel } from './channels/channel.ts'

const moving = (state: CampaignState) => state === 'sending' || state === 'scheduled'

/** One page of campaigns; asked again while one of them moves. */
export function useCampaigns(query: {
  channel?: Channel['id']
  state?: CampaignState | undefined
  cursor?: string | undefined
  limit?: number
}) {
  return useQuery({
    queryKey: ['campaigns', 'list', query],
    queryFn: () => api(campaigns.list, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.items.some((campaign) => moving(campaign.state)) ? 4_000 : false),
  })
}

/** One campaign with its counts. */
export function useCampaign(id: string) {
  return useQuery({
    queryKey: ['campaigns', id],
    queryFn: () => api(campaigns.get, { params: { id } }),
    enabled: id !== '',
  })
}

/** What would stop or hurt it, read anew whenever the draft changed. */
export function useCheck(id: string, version: string) {
  return useQuery({
    queryKey: ['campaign-check', id, version],
    queryFn: () => api(campaigns.check, { params: { id } }),
    staleTime: 0,
    enabled: id !== '',
    placeholderData: keepPreviousData,
  })
}

/** Milliseconds after which a report is read again: opens and clicks go on long after the last email. */
const reportInterval = (state: CampaignState | undefined) => (state === 'sending' ? 5_000 : 30_000)

/** Opens, clicks and where they came from. */
export function useStats(id: string, state: CampaignState | undefined) {
  return useQuery({
    queryKey: ['campaign-stats', id],
    queryFn: () => api(campaigns.stats, { params: { id } }),
    enabled: state !== undefined && state !== 'draft' && state !== 'scheduled',
    refetchInterval: reportInterval(state),
  })
}

/** Average rates of the campaigns before it. */
export function useAverages({ id, state }: Campaign) {
  return useQuery({
    queryKey: ['campaign-averages', id],
    queryFn: () => api(campaignReports.averages, { params: { id } }),
    enabled: state !== 'draft' && state !== 'scheduled',
    staleTime: 300_000,
  })
}

/** The email as it was sent, with the clicks of people beside its links. */
export function useEmail({ id, state, channel }: Campaign) {
  return useQuery({
    queryKey: ['campaign-email', id],
    queryFn: () => api(campaignReports.email, { params: { id } }),
    enabled: state !== 'draft' && state !== 'scheduled' && channel !== 'whatsapp',
    staleTime: 60_000,
    retry: false,
  })
}

/** One page of recipients, read again as the figures above it are. */
export function useMessages({ id, state }: Campaign, query: Input<typeof campaigns.messages>['query']) {
  return useQuery({
    queryKey: ['campaign-messages', id, query],
    queryFn: () => api(campaigns.messages, { params: { id }, query }),
    placeholderData: keepPreviousData,
    refetchInterval: reportInterval(state),
  })
}

/** What happened to one recipient, in order. */
export function useMessageEvents(id: string, messageId: string) {
  return useQuery({
    queryKey: ['campaign-messages', id, 'events', messageId],
    queryFn: () => api(campaigns.messageEvents, { params: { id, messageId } }),
  })
}
