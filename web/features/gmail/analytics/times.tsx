import type { GmailAnalytics } from '#contracts/gmail/analytics.ts'
import { BarList } from '#web/ui/display/chart/bar-list.tsx'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDay, formatNumber } from '#web/ui/lib/format.ts'
import { ownZone } from '#web/ui/lib/zoned-time.ts'
import { ENOUGH, type EngagementKind, engagementWords, hourInWords } from './labels.ts'

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
    <Card title="By day">
      {days.every(({ human, machine }) => human + machine === 0) ? (
        <p className="text-base text-muted">No emails were {engagementWords[kind].did} in this period.</p>
      ) : (
        <SeriesChart
          label={`${engagementWords[kind].times} by day`}
          xLabel="Day"
          series={buildSeries(kind)}
          points={days.map(({ day, human, machine }) => ({ x: day, human, machine }))}
          formatX={formatDay}
        />
      )}
    </Card>
  )
}

/** When people read, and when sending was worth it: two different questions. */
export function Hours({ kind, hours }: { kind: EngagementKind; hours: GmailAnalytics['hours'] }) {
  const { did, times } = engagementWords[kind]
  const best = hours
    .filter(({ human }) => human > 0)
    .toSorted((a, b) => b.human - a.human)
    .slice(0, 3)
  return (
    <div className="grid gap-5 wide:grid-cols-2">
      <Card title="By hour of the day" description={`When people ${did}, in ${ownZone().replaceAll('_', ' ')} time.`}>
        {best.length === 0 ? (
          <p className="text-base text-muted">No best hours yet. They appear once someone has {did}.</p>
        ) : (
          <>
            <p className="mb-4 text-base text-text">
              Best hours: <strong className="text-ink">{best.map(({ hour }) => hourInWords(hour)).join(', ')}</strong>.
            </p>
            <SeriesChart
              label={`${times} by hour of the day`}
              xLabel="Hour"
              height={200}
              series={buildSeries(kind)}
              points={hours.map(({ hour, human, machine }) => ({
                x: `${String(hour).padStart(2, '0')}:00`,
                human,
                machine,
              }))}
              formatX={(x) => x}
            />
          </>
        )}
      </Card>
      <SendingHours kind={kind} hours={hours} />
    </div>
  )
}

function SendingHours({ kind, hours }: { kind: EngagementKind; hours: GmailAnalytics['hours'] }) {
  const sent = hours.filter(({ counted }) => counted > 0)
  const sure = sent.filter(({ counted }) => counted >= ENOUGH).toSorted((a, b) => (b.rate ?? 0) - (a.rate ?? 0))
  const few = sent.length - sure.length
  return (
    <Card title={`${engagementWords[kind].rate} by sending hour`} description="Percent, best first.">
      {sure.length > 0 && (
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
      )}
      {(few > 0 || sure.length === 0) && (
        <p className="mt-3 text-sm text-muted">
          {sure.length === 0 ? 'Not enough data yet: no hour has' : `${formatNumber(few)} more with fewer than`}{' '}
          {ENOUGH} emails {sure.length === 0 ? '' : 'each '}with tracking on. With fewer, the rate could be chance.
        </p>
      )}
    </Card>
  )
}
