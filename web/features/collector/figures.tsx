import type { CollectorFigures, CrawlJob } from '#contracts/collector/collector.ts'
import { type BarItem, BarList } from '#web/ui/display/chart/bar-list.tsx'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatShare } from '#web/ui/lib/format.ts'
import { zonedFormat } from '#web/ui/lib/zoned-time.ts'
import type { Wording } from './kinds.ts'
import { countryOrUnknown, mxWords, typeWords } from './labels.ts'
import { useFigures } from './queries.ts'

const clock = zonedFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const SHOWN = 5

/** How findings came in, and what they are: the analyst's part. Every bar filters the list below. */
export function Figures({ job, wording }: { job: CrawlJob; wording: Wording }) {
  const { data, isError, error, refetch } = useFigures(job.id, job.state)
  if (!data && isError)
    return (
      <Card flush>
        <ErrorState title="The figures could not be loaded" error={error} onRetry={() => refetch()} />
      </Card>
    )
  if (!data) return <Skeleton className="h-60 rounded-card" />
  return (
    <div className="grid gap-5 wide:grid-cols-3">
      <Card title="Found over time">
        <SeriesChart
          label={`${wording.many} found over time`}
          series={[{ key: 'found', label: 'Found', meaning: 'opens' }]}
          points={data.series.map(({ at, found }) => ({ x: at, found }))}
          formatX={(at) => clock.format(new Date(at))}
          xLabel="Time"
          height={150}
        />
      </Card>
      {wording.kind === 'phone' ? (
        <>
          <Bars title="By country" groups={data.countries} param="country" name={countryOrUnknown} total={job.found} />
          <Bars title="By type" groups={data.types} param="type" name={typeWords} total={job.found} />
        </>
      ) : (
        <>
          <Bars title="By site" groups={data.sites} param="q" name={(site) => site ?? 'unknown'} total={job.found} />
          <Card title="Breakdown">
            <BarList label="Breakdown" max={job.found} items={addressItems(data, job.found)} />
          </Card>
        </>
      )}
    </div>
  )
}

const share = (count: number, total: number) => (total > 0 ? formatShare(count / total) : undefined)
const item = (label: string, value: number, total: number, to?: string): BarItem => {
  const note = share(value, total)
  return { label, value, ...(note && { note }), ...(to && { to }) }
}

function addressItems({ role, free, disposable, mx }: CollectorFigures, total: number): BarItem[] {
  const counted = mx.yes + mx.no + mx.unknown
  return [
    item('role addresses, such as info@', role, total, '?role=role'),
    item('personal addresses', Math.max(0, counted - role), total, '?role=personal'),
    ...(free > 0 ? [item('free email providers', free, total)] : []),
    ...(disposable > 0 ? [item('disposable email providers', disposable, total)] : []),
    ...(mx.no > 0 ? [item(`domain ${mxWords.no}`, mx.no, total, '?mx=no')] : []),
    ...(mx.unknown > 0 ? [item('mail server unknown', mx.unknown, total, '?mx=unknown')] : []),
  ]
}

interface BarsProps {
  title: string
  groups: { value: string | null; count: number }[]
  param: string
  name: (value: string | null) => string
  total: number
}

function Bars({ title, groups, param, name, total }: BarsProps) {
  const shown = groups.slice(0, SHOWN)
  const rest = total - shown.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card title={title}>
      <BarList
        label={title}
        items={[
          ...shown.map(({ value, count }) =>
            item(name(value), count, total, value === null ? undefined : `?${new URLSearchParams([[param, value]])}`),
          ),
          ...(rest > 0 && groups.length > SHOWN ? [item('all others', rest, total)] : []),
        ]}
      />
    </Card>
  )
}
