import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CampaignState, MessageState } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
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

/** Opens, clicks and where they came from; asked again while mail is on its way. */
export function useStats(id: string, state: CampaignState | undefined) {
  return useQuery({
    queryKey: ['campaign-stats', id],
    queryFn: () => api(campaigns.stats, { params: { id } }),
    enabled: state !== undefined && state !== 'draft' && state !== 'scheduled',
    refetchInterval: state === 'sending' ? 5_000 : 30_000,
  })
}

interface MessageFilter {
  state?: MessageState | undefined
  q?: string | undefined
  cursor?: string | undefined
  limit?: number
}

/** One page of recipients. */
export function useMessages(id: string, query: MessageFilter) {
  return useQuery({
    queryKey: ['campaign-messages', id, query],
    queryFn: () => api(campaigns.messages, { params: { id }, query }),
    placeholderData: keepPreviousData,
  })
}

/** What happened to one recipient, in order. */
export function useMessageEvents(id: string, messageId: string) {
  return useQuery({
    queryKey: ['campaign-messages', id, 'events', messageId],
    queryFn: () => api(campaigns.messageEvents, { params: { id, messageId } }),
  })
}
