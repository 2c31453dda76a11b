import { Link } from 'react-router'
import type { Campaign } from '#contracts/campaigns.ts'
import type { WhatsAppStats } from '#contracts/whatsapp-stats.ts'
import { RetryBanner } from '#web/features/campaigns/index.ts'
import { Card } from '#web/ui/card.tsx'
import { BarList } from '#web/ui/chart/bar-list.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatNumber, formatShare } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { OverTime } from '../results/over-time.tsx'
import { useCampaignStats } from '../results/queries.ts'
import { Failures } from '../results/tables.tsx'
import { didItWork, dollars, knownCost, monthInWords } from '../results/words.ts'

/** What a WhatsApp campaign came to: did it arrive, was it read, what came back, what it may cost. */
export function Report({ campaign }: { campaign: Campaign }) {
  const query = useCampaignStats(campaign)
  if (query.isError && !query.data)
    return (
      <ErrorState
        title="The figures could not be loaded"
        error={query.error}
        kept="They are all kept."
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
          Cost by country and category, and the figures as CSV
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
      <Stat label="Failed" value={formatNumber(counts.failed)} note="refused or not delivered" to={list('failed')} />
      <Stat label="Left out" value={formatNumber(counts.suppressed)} note="never written to" to={list('suppressed')} />
      <Stat
        label="Opted out"
        value={formatNumber(totals.optedOut)}
        note="suppressed at once"
        to="/contacts/suppressions"
      />
      <Stat
        label="Cost, estimated"
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
    <Card title="From list to answer" description="How many people came how far.">
      <BarList
        label="From list to answer"
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
        Who switched read receipts off is never known to have read. Replies count for 72 hours.
      </p>
    </Card>
  )
}
