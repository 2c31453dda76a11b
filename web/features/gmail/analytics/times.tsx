import type { GmailAnalytics } from '#contracts/gmail/analytics.ts'
import { BarList } from '#web/ui/display/chart/bar-list.tsx'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { ENOUGH, type EngagementKind, engagementWords, formatDayMonth, hourInWords } from './labels.ts'

const buildSeries = (kind: EngagementKind) => {
  const { times, meaning } = engagementWords[kind]
  return [
    { key: 'human', label: `${times} by people`, meaning },
    { key: 'machine', label: 'Bots', meaning: 'machine' as const },
  ]
}

/** Day by day. */
export function Days({ kind, days }: { kind: EngagementKind; days: GmailAnalytics['days'] }) {
  return (
    <Card title={`${engagementWords[kind].times} by day`}>
      <SeriesChart
        label={`${engagementWords[kind].times} by day`}
        xLabel="Day"
        series={buildSeries(kind)}
        points={days.map(({ day, human, machine }) => ({ x: day, human, machine }))}
        formatX={formatDayMonth}
      />
    </Card>
  )
}

/** When sending was worth it; nothing while no hour has enough emails to tell. */
export function SendingHours({ kind, hours }: { kind: EngagementKind; hours: GmailAnalytics['hours'] }) {
  const sent = hours.filter(({ counted }) => counted > 0)
  const sure = sent.filter(({ counted }) => counted >= ENOUGH).toSorted((a, b) => (b.rate ?? 0) - (a.rate ?? 0))
  const few = sent.length - sure.length
  if (sure.length === 0) return null
  return (
    <Card title={`${engagementWords[kind].rate} by sending hour`} description="Percent, best first.">
      <BarList
        label={`${engagementWords[kind].rate} by sending hour`}
        meaning={engagementWords[kind].meaning}
        max={100}
        items={sure.map(({ hour, rate, engaged, counted }) => ({
          label: hourInWords(hour),
          value: Math.round((rate ?? 0) * 1_000) / 10,
          note: `% · ${formatNumber(engaged)} of ${formatNumber(counted)}`,
        }))}
      />
      {few > 0 && (
        <p className="mt-3 text-sm text-muted">
          {plural(few, 'hour')} with fewer than {ENOUGH} tracked emails {few === 1 ? 'is' : 'are'} not shown: the rate
          could be chance.
        </p>
      )}
    </Card>
  )
}
