import type { CampaignStats } from '#contracts/campaign-stats.ts'
import type { Campaign } from '#contracts/campaigns.ts'
import { Card } from '#web/ui/card.tsx'
import { BarList } from '#web/ui/chart/bar-list.tsx'
import { SeriesChart } from '#web/ui/chart/series-chart.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatMoment, formatNumber, formatShare } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { HumanMachine } from './human-machine.tsx'
import { useStats } from './queries.ts'
import { bouncedFigure, complainedFigure, didItWork, seenIn } from './report-words.ts'
import { RetryBanner } from './retry.tsx'

/** The answers a marketer asks for, in the order of the asking: did it work, where were people lost, when, what, how. */
export function Report({ campaign }: { campaign: Campaign }) {
  const query = useStats(campaign.id, campaign.state)
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
  const stats = query.data
  return (
    <div className="space-y-5">
      <p className="max-w-3xl text-lg font-semibold tracking-tight text-balance text-ink">
        {didItWork(campaign, stats)}
      </p>
      <RetryBanner campaign={campaign} />
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
    </div>
  )
}

function Figures({ campaign, stats }: { campaign: Campaign; stats: CampaignStats }) {
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
      <Stat
        label="Failed"
        value={formatNumber(counts.failed)}
        note="refused by their mail server"
        to={list('failed')}
      />
      <Stat label="Bounced" {...bouncedFigure(campaign, stats)} to={list('bounced')} />
      {campaign.reads !== null && (
        <Stat
          label="Answered"
          value={formatNumber(campaign.replied)}
          note={seenIn(campaign) ?? 'follow-ups included'}
        />
      )}
      <Stat label="Left out" value={formatNumber(counts.suppressed)} note="never written to" to={list('suppressed')} />
      <Stat
        label="Unsubscribed"
        value={formatNumber(stats.unsubscribes)}
        note={formatShare(stats.rates.unsubscribe)}
        to="/contacts/suppressions"
      />
      <Stat label="Complained" {...complainedFigure(stats)} to="/contacts/suppressions" />
    </div>
  )
}

function Funnel({ campaign, stats }: { campaign: Campaign; stats: CampaignStats }) {
  const { recipients, sent } = campaign.counts
  const share = (value: number) => (recipients > 0 ? formatShare(value / recipients) : undefined)
  const step = (label: string, value: number, to?: string) => ({
    label,
    value,
    ...(share(value) && { note: share(value) as string }),
    ...(to && { to }),
  })
  const unknown = [
    !campaign.trackOpens && 'Opened: unknown, it was not counted.',
    !campaign.trackClicks && 'Clicked: unknown, it was not counted.',
  ].filter(Boolean)
  return (
    <Card title="From list to click" description="How many people came how far.">
      <BarList
        label="From list to click"
        max={Math.max(1, recipients)}
        items={[
          step('Recipients', recipients, '?#recipients'),
          step('Sent', sent, '?state=sent#recipients'),
          step('Delivered', stats.delivered),
          ...(campaign.trackOpens ? [step('Opened', stats.opens.unique)] : []),
          ...(campaign.trackClicks ? [step('Clicked', stats.clicks.unique)] : []),
        ]}
      />
      {unknown.map((line) => (
        <p key={String(line)} className="mt-2 px-2.5 text-sm text-muted">
          {line}
        </p>
      ))}
    </Card>
  )
}

function Timeline({ stats }: { stats: CampaignStats }) {
  return (
    <Card title="When">
      {stats.timeline.length === 0 ? (
        <p className="text-base text-muted">Nobody has opened or clicked yet.</p>
      ) : (
        <SeriesChart
          label="Opens and clicks over time"
          xLabel="Time"
          series={[
            { key: 'opens', label: 'Opens by people', meaning: 'opens' },
            { key: 'clicks', label: 'Clicks by people', meaning: 'clicks' },
            { key: 'machine', label: 'Machines', meaning: 'machine' },
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
        <p className="text-base text-muted">Unknown: clicks were not counted.</p>
      ) : stats.links.length === 0 ? (
        <p className="text-base text-muted">No link was clicked yet.</p>
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
              note: `${formatNumber(link.clicks)} clicks${link.machine > 0 ? `, ${formatNumber(link.machine)} by machines` : ''}`,
            }))}
        />
      )}
    </Card>
  )
}

function Clients({ stats, tracked }: { stats: CampaignStats; tracked: boolean }) {
  return (
    <Card title="Mail programs" description="What the letter was opened in, as far as it says.">
      {!tracked ? (
        <p className="text-base text-muted">Unknown: opens were not counted.</p>
      ) : stats.clients.length === 0 ? (
        <p className="text-base text-muted">Nobody has opened it yet.</p>
      ) : (
        <BarList
          label="Opens by mail program"
          items={stats.clients.map((client) => ({ label: client.name, value: client.opens }))}
        />
      )}
    </Card>
  )
}
