import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { BarList } from '#web/ui/display/chart/bar-list.tsx'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { Stat } from '#web/ui/display/stat.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment, formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { channels } from '../channels/index.ts'
import { useStats } from '../queries.ts'
import { HumanMachine } from './human-machine.tsx'
import { bouncedFigure, complainedFigure, didItWork } from './labels.ts'
import { FunnelCard, ReportFigures, ReportFrame, recipientsIn } from './report-frame.tsx'

/** What a marketer wants to know, in the order they ask: did it work, where were people lost, when, what, how. */
export function Report({ campaign }: { campaign: Campaign }) {
  const query = useStats(campaign.id, campaign.state)
  return (
    <ReportFrame campaign={campaign} query={query} summary={(stats) => didItWork(campaign, stats)}>
      {(stats) => (
        <>
          <Figures campaign={campaign} stats={stats} />
          <div className="grid gap-5 wide:grid-cols-2">
            <Funnel campaign={campaign} stats={stats} />
            <HumanMachine campaign={campaign} stats={stats} />
          </div>
          <Timeline stats={stats} />
          <div className="grid gap-5 wide:grid-cols-2">
            <Links stats={stats} tracked={campaign.trackClicks} />
            <Clients stats={stats} tracked={campaign.trackOpens} />
          </div>
        </>
      )}
    </ReportFrame>
  )
}

function Figures({ campaign, stats }: { campaign: Campaign; stats: CampaignStats }) {
  const replies = channels[campaign.channel].replies?.(campaign)
  return (
    <ReportFigures campaign={campaign} failedNote="rejected by their mail server">
      <Stat label="Bounced" {...bouncedFigure(campaign, stats)} to={recipientsIn('bounced')} />
      {replies && <Stat label="Replied" {...replies} />}
      <Stat
        label="Suppressed"
        value={formatNumber(campaign.counts.suppressed)}
        note="skipped"
        to={recipientsIn('suppressed')}
      />
      <Stat
        label="Unsubscribed"
        value={formatNumber(stats.unsubscribes)}
        note={formatShare(stats.rates.unsubscribe)}
        to="/contacts/suppressions"
      />
      <Stat label="Spam complaints" {...complainedFigure(stats)} to="/contacts/suppressions" />
    </ReportFigures>
  )
}

function Funnel({ campaign, stats }: { campaign: Campaign; stats: CampaignStats }) {
  const { recipients, sent } = campaign.counts
  const unknown = [
    !campaign.trackOpens && 'Opens are unknown because open tracking was off.',
    !campaign.trackClicks && 'Clicks are unknown because click tracking was off.',
  ].filter(Boolean)
  return (
    <FunnelCard
      campaign={campaign}
      steps={[
        { label: 'Recipients', value: recipients, to: '?#recipients' },
        { label: 'Sent', value: sent, to: recipientsIn('sent') },
        { label: 'Delivered', value: stats.delivered },
        ...(campaign.trackOpens ? [{ label: 'Opened', value: stats.opens.unique }] : []),
        ...(campaign.trackClicks ? [{ label: 'Clicked', value: stats.clicks.unique }] : []),
      ]}
    >
      {unknown.map((line) => (
        <p key={String(line)} className="mt-2 px-2.5 text-sm text-muted">
          {line}
        </p>
      ))}
    </FunnelCard>
  )
}

function Timeline({ stats }: { stats: CampaignStats }) {
  return (
    <Card title="Activity over time">
      {stats.timeline.length === 0 ? (
        <p className="text-base text-muted">No opens or clicks yet.</p>
      ) : (
        <SeriesChart
          label="Opens and clicks over time"
          xLabel="Time"
          series={[
            { key: 'opens', label: 'Opens by people', meaning: 'opens' },
            { key: 'clicks', label: 'Clicks by people', meaning: 'clicks' },
            { key: 'machine', label: 'Bots', meaning: 'machine' },
          ]}
          points={stats.timeline.map(({ at, ...numbers }) => ({ x: at, ...numbers }))}
          formatX={formatMoment}
        />
      )}
    </Card>
  )
}

function Links({ stats, tracked }: { stats: CampaignStats; tracked: boolean }) {
  return (
    <Card title="Links" description="By people who clicked.">
      {!tracked ? (
        <p className="text-base text-muted">Unknown because click tracking was off.</p>
      ) : stats.links.length === 0 ? (
        <p className="text-base text-muted">No clicks yet.</p>
      ) : (
        <BarList
          label="Links by people who clicked"
          meaning="clicks"
          items={stats.links
            .toSorted((a, b) => b.unique - a.unique || b.clicks - a.clicks)
            .slice(0, 50)
            .map((link) => ({
              label: link.url,
              value: link.unique,
              note: `${formatNumber(link.clicks)} clicks${link.machine > 0 ? `, ${formatNumber(link.machine)} by bots` : ''}`,
            }))}
        />
      )}
    </Card>
  )
}

function Clients({ stats, tracked }: { stats: CampaignStats; tracked: boolean }) {
  return (
    <Card title="Email clients" description="The apps recipients used to open the email, where known.">
      {!tracked ? (
        <p className="text-base text-muted">Unknown because open tracking was off.</p>
      ) : stats.clients.length === 0 ? (
        <p className="text-base text-muted">No opens yet.</p>
      ) : (
        <BarList
          label="Opens by email client"
          items={stats.clients.map((client) => ({ label: client.name, value: client.opens }))}
        />
      )}
    </Card>
  )
}
