import { Link } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { countRates } from '#contracts/whatsapp/rates.ts'
import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import {
  Answer,
  DeliveryCard,
  deliveryRows,
  deliverySummary,
  describeAverages,
  Figure,
  FigureGrid,
  FunnelCard,
  peopleLink,
  ReportFrame,
  SentTo,
  useAverages,
} from '#web/features/campaigns/index.ts'
import {
  didItWork,
  dollars,
  Failures,
  knownCost,
  monthInWords,
  OverTime,
  useCampaignStats,
} from '#web/features/whatsapp/index.ts'
import { formatNumber, formatRate, plural } from '#web/ui/lib/format.ts'

/** What a WhatsApp campaign came to: did it arrive, was it read, what failed, what it may cost. */
export function Report({ campaign }: { campaign: Campaign }) {
  const query = useCampaignStats(campaign)
  const { counts } = campaign
  return (
    <ReportFrame
      query={query}
      answer={({ stats }) => (
        <Answer label="Read rate" value={formatRate(countRates(stats.totals).read)} sentence={didItWork(stats)}>
          <SentTo campaign={campaign} />
        </Answer>
      )}
    >
      {({ stats, step }) => (
        <>
          <Figures campaign={campaign} stats={stats} />
          <OverTime stats={stats} step={step} narrowed />
          <Funnel campaign={campaign} stats={stats} />
          {stats.failures.length > 0 && <Failures stats={stats} />}
          <p className="text-base">
            <Link
              to={`/whatsapp-dash?campaign=${campaign.id}`}
              className="rounded-control font-medium text-accent-text hover:underline"
            >
              Cost by country and category, and CSV export
            </Link>
          </p>
          <DeliveryCard
            campaign={campaign}
            summary={deliverySummary(campaign)}
            rows={deliveryRows(campaign, {
              accepted: 'Accepted by WhatsApp',
              failed: 'rejected or not delivered',
              later: [
                { label: 'Waiting for delivery', value: stats.totals.waiting, note: 'not yet confirmed by a phone' },
              ],
            })}
            people={peopleLink}
            isOpen={counts.failed + counts.unconfirmed > 0}
          />
        </>
      )}
    </ReportFrame>
  )
}

function Figures({ campaign, stats: { totals, cost } }: { campaign: Campaign; stats: WhatsAppStats }) {
  const averages = useAverages(campaign)
  const { campaigns, rates } = averages.data ?? {}
  const footnote = describeAverages(campaigns, 'WhatsApp')
  const average = (rate: 'delivered' | 'read' | 'reply' | 'failure') => (footnote ? (rates?.[rate] ?? null) : undefined)
  const shown = countRates(totals)
  return (
    <FigureGrid footnote={footnote}>
      <Figure
        label="Delivered"
        value={formatRate(shown.delivered)}
        note={`${formatNumber(totals.delivered)} of ${formatNumber(totals.tried)}`}
        average={average('delivered')}
        hint="Messages that reached a phone, of all that were handed over to Meta."
        to={peopleLink({ event: 'delivered' })}
      />
      <Figure
        label="Read"
        value={formatRate(shown.read)}
        note={plural(totals.read, 'person', 'people')}
        average={average('read')}
        hint="Of those delivered. People who turned off read receipts are never counted."
        to={peopleLink({ event: 'read' })}
      />
      <Figure
        label="Replied"
        value={formatRate(shown.reply)}
        note={plural(totals.replied, 'person', 'people')}
        average={average('reply')}
        hint="People who replied within 72 hours, of those delivered. Opting out is not a reply."
        to={peopleLink({ event: 'replied' })}
      />
      <Figure
        label="Failed"
        value={formatRate(shown.failure)}
        note={plural(totals.failed, 'message')}
        average={average('failure')}
        hint="Rejected by Meta, or accepted and not delivered, of all that were handed over to Meta."
        to={peopleLink({ state: 'failed' })}
      />
      <Figure
        label="Opted out"
        value={formatRate(shown.optOut)}
        note={`${plural(totals.optedOut, 'person', 'people')}, suppressed immediately`}
        to={peopleLink({ event: 'unsubscribed' })}
      />
      <Figure
        label="Estimated cost"
        value={dollars(cost.total, cost.currency)}
        note={
          cost.total === null
            ? `at least ${dollars(knownCost(cost), cost.currency)}`
            : `list prices of ${monthInWords(cost.pricesOf)}`
        }
      />
    </FigureGrid>
  )
}

function Funnel({ campaign: { counts }, stats: { totals } }: { campaign: Campaign; stats: WhatsAppStats }) {
  return (
    <FunnelCard
      recipients={counts.recipients}
      steps={[
        { label: 'Recipients', value: counts.recipients, to: '?#recipients' },
        { label: 'Sent', value: counts.sent, to: peopleLink({ state: 'sent' }) },
        { label: 'Delivered', value: totals.delivered, to: peopleLink({ event: 'delivered' }) },
        { label: 'Read', value: totals.read, to: peopleLink({ event: 'read' }) },
        { label: 'Replied', value: totals.replied, to: peopleLink({ event: 'replied' }) },
      ]}
    >
      <p className="mt-2 px-2.5 text-sm text-muted">
        People who turned off read receipts are never counted as read. Replies count for 72 hours.
      </p>
    </FunnelCard>
  )
}
