import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import { describeTimeline } from './timeline-axis.ts'

/** Opens and clicks over time: hours under the axis, the date once. */
export function Timeline({ stats, startedAt }: { stats: CampaignStats; startedAt: string | null }) {
  const { timeline } = stats
  const axis = describeTimeline(
    timeline.map(({ at }) => at),
    startedAt,
  )
  return (
    <Card title="Opens and clicks over time" {...(timeline.length > 0 && { description: axis.period })}>
      {timeline.length === 0 ? (
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
