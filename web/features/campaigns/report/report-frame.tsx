import type { UseQueryResult } from '@tanstack/react-query'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { BarList } from '#web/ui/display/chart/bar-list.tsx'
import { Stat } from '#web/ui/display/stat.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { RetryBanner } from './retry.tsx'

interface ReportFrameProps<Stats> {
  campaign: Campaign
  query: UseQueryResult<Stats>
  /** The result in one sentence, over everything else. */
  summary: (stats: Stats) => string
  children: (stats: Stats) => React.ReactNode
}

/** The report of a campaign on any channel: loading, failed, or the result with what can be retried and the channel's own parts. */
export function ReportFrame<Stats>({ campaign, query, summary, children }: ReportFrameProps<Stats>) {
  if (query.isError && !query.data)
    return (
      <ErrorState
        title="The figures could not be loaded"
        error={query.error}
        saved="Your data is safe."
        onRetry={() => query.refetch()}
      />
    )
  if (!query.data)
    return (
      <div role="status" aria-label="Loading..." className="space-y-4">
        <Skeleton className="h-7 w-3/4" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-64 w-full" />
      </div>
    )
  return (
    <div className="space-y-5">
      <p className="max-w-3xl text-lg font-semibold tracking-tight text-balance text-ink">{summary(query.data)}</p>
      <RetryBanner campaign={campaign} />
      {children(query.data)}
    </div>
  )
}

/** The address of the recipients below the report that are in a state. */
export const recipientsIn = (state: string) => `?state=${state}#recipients`

interface ReportFiguresProps {
  campaign: Campaign
  /** What failed means on this channel. */
  failedNote: string
  /** The channel's own figures, after Sent and Failed. */
  children: React.ReactNode
}

/** The figures at the head of a report. */
export function ReportFigures({ campaign: { counts }, failedNote, children }: ReportFiguresProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9.25rem,1fr))] gap-3">
      <Stat
        label="Sent"
        value={formatNumber(counts.sent)}
        note={`of ${formatNumber(counts.recipients)}`}
        to={recipientsIn('sent')}
      />
      <Stat label="Failed" value={formatNumber(counts.failed)} note={failedNote} to={recipientsIn('failed')} />
      {children}
    </div>
  )
}

interface FunnelCardProps {
  campaign: Campaign
  /** From the recipients to the last thing they can do; `to` opens the recipients behind a step. */
  steps: { label: string; value: number; to?: string }[]
  /** What the numbers leave out. */
  children?: React.ReactNode
}

/** How many recipients reached each step, with their share of all recipients. */
export function FunnelCard({ campaign, steps, children }: FunnelCardProps) {
  const { recipients } = campaign.counts
  return (
    <Card title="Funnel" description="How many people reached each step.">
      <BarList
        label="Funnel"
        max={Math.max(1, recipients)}
        items={steps.map((step) => ({
          ...step,
          ...(recipients > 0 && { note: formatShare(step.value / recipients) }),
        }))}
      />
      {children}
    </Card>
  )
}
