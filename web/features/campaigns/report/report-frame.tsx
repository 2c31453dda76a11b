import type { UseQueryResult } from '@tanstack/react-query'
import { BarList } from '#web/ui/display/chart/bar-list.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatShare } from '#web/ui/lib/format.ts'

interface ReportFrameProps<Stats> {
  query: UseQueryResult<Stats>
  /** The result, over everything else: an Answer. */
  answer: (stats: Stats) => React.ReactNode
  children: (stats: Stats) => React.ReactNode
}

/** The report of a campaign on any channel: loading, failed, or the result with the channel's own parts. */
export function ReportFrame<Stats>({ query, answer, children }: ReportFrameProps<Stats>) {
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
      {answer(query.data)}
      {children(query.data)}
    </div>
  )
}

interface FunnelCardProps {
  recipients: number
  /** From the recipients to the last thing they can do; `to` opens the recipients behind a step. */
  steps: { label: string; value: number; to?: string | undefined }[]
  /** What the numbers leave out. */
  children?: React.ReactNode
}

/** How many recipients reached each step, with their share of all recipients. */
export function FunnelCard({ recipients, steps, children }: FunnelCardProps) {
  return (
    <Card title="Funnel" description="How many people reached each step, and their share of all recipients.">
      <BarList
        label="Funnel"
        max={Math.max(1, recipients)}
        items={steps.map(({ to, ...step }) => ({
          ...step,
          ...(to && { to }),
          ...(recipients > 0 && { note: formatShare(step.value / recipients) }),
        }))}
      />
      {children}
    </Card>
  )
}
