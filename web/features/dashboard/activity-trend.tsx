import type { Activity } from '#contracts/dashboard/dashboard.ts'
import { type ChannelId, channelPages } from '#web/channel-pages.ts'
import type { Series } from '#web/ui/display/chart/series.ts'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { Stat } from '#web/ui/display/stat.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDay, formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { CHANNELS, useActivityChoice } from './activity-choice.ts'
import { describeChange, toPoints } from './labels.ts'

/** What campaigns did lately: figures beside the period before, and a chart by day or week. */
export function ActivityTrend({ activity }: { activity: Activity | undefined }) {
  const { channel, days } = useActivityChoice()
  return (
    <section aria-labelledby="trend">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="trend" className="text-base font-semibold">
          Last {days} days
        </h2>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          <FilterChips param="channel" label="Channel" options={CHANNELS} />
          <FilterChips param="days" label="Period" all="30 days" options={[{ value: '90', label: '90 days' }]} />
        </div>
      </div>
      {activity ? (
        <>
          <Figures activity={activity} channel={channel} days={days} />
          <Chart activity={activity} channel={channel} days={days} />
        </>
      ) : (
        <Skeleton className="h-96 rounded-card" />
      )}
    </section>
  )
}

interface PartProps {
  activity: Activity
  channel: ChannelId | undefined
  days: string
}

function Figures({ activity: { figures, previous }, channel, days }: PartProps) {
  const isWhatsApp = channel === 'whatsapp'
  const to = channel ? channelPages[channel].list : undefined
  // As the reports have it: over WhatsApp of those delivered.
  const [whole, of] = figures.delivered === null ? [figures.sent, 'sent'] : [figures.delivered, 'delivered']
  const note = (now: number | null, before: number | null, share = true) => {
    if (now === null) return 'Not tracked'
    const change = describeChange(now, before)
    return [
      share && whole > 0 && `${formatShare(now / whole)} of ${of}`,
      change ? `${change} vs previous ${days} days` : undefined,
    ]
      .filter(Boolean)
      .join(' · ')
  }
  const stats = [
    { label: 'Sent', now: figures.sent, note: note(figures.sent, previous.sent, false) || 'Accepted for delivery' },
    {
      label: isWhatsApp ? 'Read' : channel ? 'Opened by people' : 'Opened or read by people',
      now: figures.opened,
      note: note(figures.opened, previous.opened),
    },
    isWhatsApp
      ? { label: 'Replied', now: figures.replied, note: note(figures.replied, previous.replied) }
      : { label: 'Clicked by people', now: figures.clicked, note: note(figures.clicked, previous.clicked) },
  ]
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {stats.map(({ label, now, note }) => (
        <Stat key={label} label={label} value={formatNumber(now)} note={note || undefined} {...(to && { to })} />
      ))}
    </div>
  )
}

/** "24 Nov": the year is the one of the page. */
const formatChartDay = (day: string) => formatDay(day).replace(/ \d{4}$/, '')

function Chart({ activity, channel, days }: PartProps) {
  if (activity.figures.sent === 0)
    return (
      <Card className="mt-3">
        <p className="pt-2 text-base text-muted">No campaigns started in the last {days} days.</p>
      </Card>
    )
  const isWhatsApp = channel === 'whatsapp'
  const series: Series[] = [
    { key: 'sent', label: 'Sent', meaning: 'delivered' },
    { key: 'opened', label: isWhatsApp ? 'Read' : 'Opened', meaning: 'opens' },
    isWhatsApp
      ? { key: 'replied', label: 'Replied', meaning: 'clicks' }
      : { key: 'clicked', label: 'Clicked', meaning: 'clicks' },
    { key: 'previousSent', label: `Sent, previous ${days} days`, meaning: 'line-2' },
  ]
  return (
    <Card className="mt-3">
      <div className="pt-2">
        <SeriesChart
          label="Campaign results by start date"
          series={series}
          points={toPoints(activity.trend)}
          formatX={formatChartDay}
          xLabel={days === '90' ? 'Week of' : 'Day'}
          height={220}
        />
      </div>
    </Card>
  )
}
