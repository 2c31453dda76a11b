import { Link } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { RetryBanner } from '#web/features/campaigns/index.ts'
import {
  didItWork,
  dollars,
  Failures,
  knownCost,
  monthInWords,
  OverTime,
  useCampaignStats,
} from '#web/features/whatsapp/index.ts'
import { BarList } from '#web/ui/display/chart/bar-list.tsx'
import { Stat } from '#web/ui/display/stat.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, formatShare } from '#web/ui/lib/format.ts'

/** What a WhatsApp campaign came to: did it arrive, was it read, what bounced, what it may cost. */
export function Report({ campaign }: { campaign: Campaign }) {
  const query = useCampaignStats(campaign)
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
  const { stats, step } = query.data
  return (
    <div className="space-y-5">
      <p className="max-w-3xl text-lg font-semibold tracking-tight text-balance text-ink">{didItWork(stats)}</p>
      <RetryBanner campaign={campaign} />
      <Figures campaign={campaign} stats={stats} />
      <Funnel campaign={campaign} stats={stats} />
      <OverTime stats={stats} step={step} narrowed />
      {stats.failures.length > 0 && <Failures stats={stats} />}
      <p className="text-base">
        <Link
          to={`/whatsapp-dash?campaign=${campaign.id}`}
          className="rounded-control font-medium text-accent-text hover:underline"
        >
          Cost by country and category, and CSV export
        </Link>
      </p>
    </div>
  )
}

function Figures({ campaign, stats: { totals, cost } }: { campaign: Campaign; stats: WhatsAppStats }) {
  const { counts } = campaign
  const list = (state: string) => `?state=${state}#recipients`
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9.25rem,1fr))] gap-3">
      <Stat
        label="Sent"
        value={formatNumber(counts.sent)}
        note={`of ${formatNumber(counts.recipients)}`}
        to={list('sent')}
      />
      <Stat label="Failed" value={formatNumber(counts.failed)} note="rejected or not delivered" to={list('failed')} />
      <Stat label="Suppressed" value={formatNumber(counts.suppressed)} note="skipped" to={list('suppressed')} />
      <Stat
        label="Opted out"
        value={formatNumber(totals.optedOut)}
        note="suppressed immediately"
        to="/contacts/suppressions"
      />
      <Stat
        label="Estimated cost"
        value={dollars(cost.total, cost.currency)}
        note={
          cost.total === null
            ? `at least ${dollars(knownCost(cost), cost.currency)}`
            : `list prices of ${monthInWords(cost.pricesOf)}`
        }
      />
    </div>
  )
}

function Funnel({ campaign, stats: { totals } }: { campaign: Campaign; stats: WhatsAppStats }) {
  const { recipients, sent } = campaign.counts
  const step = (label: string, value: number) => ({
    label,
    value,
    ...(recipients > 0 && { note: formatShare(value / recipients) }),
  })
  return (
    <Card title="Funnel" description="How many people reached each step.">
      <BarList
        label="Funnel"
        max={Math.max(1, recipients)}
        items={[
          step('Recipients', recipients),
          step('Sent', sent),
          step('Delivered', totals.delivered),
          step('Read', totals.read),
          step('Replied', totals.replied),
        ]}
      />
      <p className="mt-2 px-2.5 text-sm text-muted">
        People who turned off read receipts are never counted as read. Replies count for 72 hours.
      </p>
    </Card>
  )
}
