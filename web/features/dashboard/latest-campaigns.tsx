import { Link } from 'react-router'
import type { Campaign, CampaignSummary } from '#contracts/campaigns/campaign.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { ProgressBar } from '#web/ui/display/progress-bar.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { FlightDrawing } from '#web/ui/theme/drawings.tsx'
import type { useLatestCampaigns } from './queries.ts'

const words: Record<Campaign['state'], string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Sending',
  paused: 'Paused',
  sent: 'Sent',
  cancelled: 'Canceled',
  failed: 'Failed',
}

/** The last five campaigns with their bars. */
export function LatestCampaigns({ campaigns: query }: { campaigns: ReturnType<typeof useLatestCampaigns> }) {
  const campaigns = query.data
  return (
    <Card
      title="Latest campaigns"
      flush
      action={
        campaigns && campaigns.length > 0 ? (
          <Link to="/mail-dash" className="rounded-[3px] text-sm font-medium text-accent-text hover:underline">
            All campaigns
          </Link>
        ) : undefined
      }
    >
      {query.isPending && <SkeletonRows rows={4} />}
      {query.isError && !campaigns && (
        <ErrorState title="Your campaigns could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      )}
      {campaigns?.length === 0 && (
        <EmptyState drawing={<FlightDrawing />} title="Nothing sent yet">
          Your campaigns and their results will appear here.
        </EmptyState>
      )}
      {campaigns && campaigns.length > 0 && (
        <ul className="divide-y border-t">
          {campaigns.map((campaign) => (
            <CampaignLine key={campaign.id} campaign={campaign} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function CampaignLine({ campaign }: { campaign: CampaignSummary }) {
  const { counts } = campaign
  return (
    <li>
      <Link
        to={campaignLink(campaign)}
        className="block px-5 py-3 transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 truncate text-base font-medium text-ink">{campaign.name}</span>
          <span className="shrink-0 text-sm text-muted tabular-nums">
            {words[campaign.state]}
            {counts.recipients > 0 && ` · ${formatNumber(counts.sent)} of ${formatNumber(counts.recipients)}`}
          </span>
        </span>
        {counts.recipients > 0 && (
          <ProgressBar
            className="mt-2"
            label={campaign.name}
            total={counts.recipients}
            parts={[
              { label: 'Sent', value: counts.sent, tone: 'good' },
              { label: 'Failed', value: counts.failed + counts.bounced, tone: 'harm' },
              { label: 'Queued', value: counts.queued + counts.deferred, tone: 'waiting' },
            ]}
          />
        )}
      </Link>
    </li>
  )
}
