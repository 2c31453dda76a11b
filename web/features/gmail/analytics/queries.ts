import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { gmailAnalytics } from '#contracts/gmail/analytics.ts'
import { api } from '#web/api.ts'
import { ownZone } from '#web/ui/lib/zoned-time.ts'
import type { EngagementKind } from './labels.ts'

const DAY_MS = 86_400_000
export const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
]

/** What the address asks for; a value nobody can mean is as if it were not there. */
export function useFilter(kind: EngagementKind) {
  const [search] = useSearchParams()
  const text = search.toString()
  // Until the minute, so that drawing the page anew does not ask anew.
  const minute = Math.floor(Date.now() / 60_000)
  return useMemo(() => {
    const given = new URLSearchParams(text)
    const days = Number(periods.find(({ value }) => value === given.get('days'))?.value ?? 30)
    const number = (name: string, form: RegExp) => (form.test(given.get(name) ?? '') ? given.get(name) : null)
    const [campaigns, senderId] = [number('campaigns', /^[1-9]\d*(,[1-9]\d*)*$/), number('account', /^[1-9]\d*$/)]
    const step = number('step', /^[1-9]\d?$/)
    return {
      kind,
      since: new Date(minute * 60_000 - days * DAY_MS).toISOString(),
      ...(campaigns && { campaigns }),
      ...(senderId && { senderId }),
      ...(step && { step: Number(step) }),
    }
  }, [kind, text, minute])
}

export type AnalyticsFilter = ReturnType<typeof useFilter>

/** What makes an answer another one: not that time passes, which asking again takes care of. */
export const filterKey = ({ since, ...filter }: AnalyticsFilter) => ({ ...filter, since: since.slice(0, 10) })

/** All figures of one of the two pages, by the clock of the viewer. */
export function useAnalytics(filter: AnalyticsFilter) {
  return useQuery({
    queryKey: ['gmail-analytics', filterKey(filter)],
    queryFn: () => api(gmailAnalytics.show, { query: { ...filter, timeZone: ownZone() } }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
}

/** One page of who opened or clicked. */
export function useRecipients(filter: AnalyticsFilter, cursor: string | undefined) {
  return useQuery({
    queryKey: ['gmail-analytics', 'recipients', filterKey(filter), cursor],
    queryFn: () => api(gmailAnalytics.recipients, { query: { ...filter, limit: 15, ...(cursor && { cursor }) } }),
    placeholderData: keepPreviousData,
  })
}
