import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import type { Tracked } from './labels.ts'
import { describeTimeline } from './timeline-axis.ts'

interface TimelineProps {
  stats: CampaignStats
  tracked: Pick<Tracked, 'trackOpens' | 'trackClicks'>
  startedAt: string | null
}

/** Opens and clicks over time: hours under the axis, the date once. What was not tracked is unknown and no curve at 0. */
export function Timeline({ stats, tracked: { trackOpens, trackClicks }, startedAt }: TimelineProps) {
  const { timeline } = stats
  const axis = describeTimeline(
    timeline.map(({ at }) => at),
    startedAt,
  )
  return (
    <Card title="Opens and clicks over time" {...(timeline.length > 0 && { description: axis.period })}>
      {timeline.length === 0 ? (
        <p className="text-base text-muted">
          {trackOpens || trackClicks ? 'No opens or clicks yet.' : 'Unknown because tracking was off.'}
        </p>
      ) : (
        <SeriesChart
          label="Opens and clicks over time"
          xLabel="Time"
          series={[
            ...(trackOpens ? [{ key: 'opens', label: 'Opens by people', meaning: 'opens' as const }] : []),
            ...(trackClicks ? [{ key: 'clicks', label: 'Clicks by people', meaning: 'clicks' as const }] : []),
            { key: 'machine', label: 'Bots', meaning: 'machine' },
          ]}
          points={timeline.map(({ at, ...numbers }) => ({ x: at, ...numbers }))}
          formatX={formatMoment}
          formatTick={axis.formatTick}
          {...(axis.ticks && { ticks: axis.ticks })}
          {...(axis.sentAt && { mark: { x: axis.sentAt, label: 'Sent' } })}
        />
      )}
    </Card>
  )
}
