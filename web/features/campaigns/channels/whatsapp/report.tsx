import { Link } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { FunnelCard, ReportFigures, ReportFrame, recipientsIn } from '#web/features/campaigns/index.ts'
import {
  didItWork,
  dollars,
  Failures,
  knownCost,
  monthInWords,
  OverTime,
  useCampaignStats,
} from '#web/features/whatsapp/index.ts'
import { Stat } from '#web/ui/display/stat.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'

/** What a WhatsApp campaign came to: did it arrive, was it read, what bounced, what it may cost. */
export function Report({ campaign }: { campaign: Campaign }) {
  const query = useCampaignStats(campaign)
  return (
    <ReportFrame campaign={campaign} query={query} summary={({ stats }) => didItWork(stats)}>
      {({ stats, step }) => (
        <>
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
        </>
      )}
    </ReportFrame>
  )
}

function Figures({ campaign, stats: { totals, cost } }: { campaign: Campaign; stats: WhatsAppStats }) {
  return (
    <ReportFigures campaign={campaign} failedNote="rejected or not delivered">
      <Stat
        label="Suppressed"
        value={formatNumber(campaign.counts.suppressed)}
        note="skipped"
        to={recipientsIn('suppressed')}
      />
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
    </ReportFigures>
  )
}

function Funnel({ campaign, stats: { totals } }: { campaign: Campaign; stats: WhatsAppStats }) {
  return (
    <FunnelCard
      campaign={campaign}
      steps={[
        { label: 'Recipients', value: campaign.counts.recipients },
        { label: 'Sent', value: campaign.counts.sent },
        { label: 'Delivered', value: totals.delivered },
        { label: 'Read', value: totals.read },
        { label: 'Replied', value: totals.replied },
      ]}
    >
      <p className="mt-2 px-2.5 text-sm text-muted">
        People who turned off read receipts are never counted as read. Replies count for 72 hours.
      </p>
    </FunnelCard>
  )
}
