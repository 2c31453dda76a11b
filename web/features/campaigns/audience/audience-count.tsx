import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import type { Draft } from '../wizard/draft.ts'
import { labelReason } from './labels.ts'

const RECOUNT_MS = 10_000

/** Who a draft would go to as it is saved, counted anew whenever its lists and segments change, or its WhatsApp template. */
export function useAudienceCount({ id, query }: Draft) {
  const { listIds = [], segmentIds = [], excludeListIds = [], excludeSegmentIds = [], whatsapp } = query.data ?? {}
  const hasSegments = segmentIds.length + excludeSegmentIds.length > 0
  return useQuery({
    queryKey: ['campaign-audience', id, listIds, segmentIds, excludeListIds, excludeSegmentIds, whatsapp?.templateId],
    queryFn: () => api(campaigns.audience, { params: { id } }),
    enabled: id !== '' && listIds.length + segmentIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // An import may be running. Filters are counted on request alone: they cost more.
    refetchInterval: hasSegments ? false : RECOUNT_MS,
  })
}

/** How many people get it, and who is skipped and why. */
export function AudienceCount({ draft }: { draft: Draft }) {
  const { data, isError, error, refetch, isPlaceholderData } = useAudienceCount(draft)
  const { listIds, segmentIds } = draft.choices
  if (listIds.length + segmentIds.length === 0) return null
  if (isError && !data)
    return <ErrorState title="The recipients could not be counted" error={error} onRetry={() => refetch()} />
  if (!data) return <Skeleton className="h-24 rounded-card" />
  if (data.problems.length > 0)
    return data.problems.map(({ code, message }) => (
      <Banner key={code} tone="attention">
        {message}
      </Banner>
    ))
  const left = data.excluded.reduce((sum, { people }) => sum + people, 0)
  return (
    <Card
      title={
        data.recipients === 0 ? 'No one will get it' : `${plural(data.recipients, 'person', 'people')} will get it`
      }
      description={left > 0 ? `${plural(left, 'person is', 'people are')} skipped` : undefined}
      className={isPlaceholderData ? 'opacity-60' : ''}
    >
      {left === 0 ? (
        <p className="text-base text-text">No one is skipped.</p>
      ) : (
        <ul aria-label="Skipped people" className="space-y-1.5 text-base">
          {data.excluded.map(({ reason, people }) => (
            <li key={reason} className="flex gap-3">
              <span className="min-w-7 shrink-0 text-right font-medium text-ink tabular-nums">
                {formatNumber(people)}
              </span>
              <span className="text-text">{labelReason(reason)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
