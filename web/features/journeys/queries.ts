import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { Input } from '#contracts/endpoint.ts'
import { type Journey, type JourneyState, journeys } from '#contracts/journeys/journeys.ts'
import { api } from '#web/api.ts'
import { storeResult } from '#web/query.ts'

const LIVE_MS = 5_000
const SOON_MS = 1_500

/** One page of journeys; asked again while one of them is active. */
export function useJourneys(query: { state?: JourneyState | undefined; cursor?: string | undefined }) {
  return useQuery({
    queryKey: ['journeys', 'list', query],
    queryFn: () => api(journeys.list, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === 'active') ? LIVE_MS * 2 : false,
  })
}

/** One journey with the counts of its steps; asked again while it is active. */
export function useJourney(id: string) {
  return useQuery({
    queryKey: ['journeys', id],
    queryFn: () => api(journeys.get, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'active' ? LIVE_MS : false),
  })
}

/** Takes a journey as the server has it now into every place that shows it. */
export function useStoreJourney() {
  const queries = useQueryClient()
  return (journey: Journey) => {
    storeResult(queries, ['journeys', journey.id], journey)
    void queries.invalidateQueries({ queryKey: ['journeys', 'list'] })
  }
}

/** Reads a journey as the server had it last: a screen may not have drawn that yet. */
export function useLatestJourney() {
  const queries = useQueryClient()
  return (journey: Journey): Journey => queries.getQueryData<Journey>(['journeys', journey.id]) ?? journey
}

/** Asks again for a journey that is not what its screen shows. */
export function useRefreshJourney() {
  const queries = useQueryClient()
  return (id: string) => void queries.invalidateQueries({ queryKey: ['journeys', id], exact: true })
}

/** Whether some who got to an email step have neither an email nor a reason yet why they get none. */
const isUnderWay = ({ counts }: Campaign, entered: number) =>
  counts.sent + counts.failed + counts.suppressed + counts.unconfirmed < Math.max(entered, counts.recipients)

/** The campaign that is the report of an email step with so many contacts; asked again soon while emails are on their way. */
export function useReport(campaignId: string, entered: number, isLive: boolean) {
  return useQuery({
    queryKey: ['campaigns', campaignId],
    queryFn: () => api(campaigns.get, { params: { id: campaignId } }),
    refetchInterval: ({ state: { data } }) => isLive && (data && isUnderWay(data, entered) ? SOON_MS : LIVE_MS * 2),
  })
}

/** One page of the contacts of a journey. */
export function usePeople(id: string, query: Input<typeof journeys.people>['query'], isLive: boolean) {
  return useQuery({
    queryKey: ['journeys', id, 'people', query],
    queryFn: () => api(journeys.people, { params: { id }, query }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? LIVE_MS * 2 : false,
  })
}
