import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type GmailCurves, gmailAnalytics } from '#contracts/gmail/analytics.ts'
import { api } from '#web/api.ts'
import { channelPages } from '#web/channel-pages.ts'
import { Key } from '#web/ui/display/chart/key.tsx'
import { lines, type SeriesPoint } from '#web/ui/display/chart/series.ts'
import { SeriesChart } from '#web/ui/display/chart/series-chart.tsx'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment, formatNumber, formatShare, plural } from '#web/ui/lib/format.ts'
import { type EngagementKind, engagementWords } from './labels.ts'
import { type AnalyticsFilter, filterKey } from './queries.ts'

type Compared = GmailCurves['campaigns'][number]
type Curve = Compared['curve'][number]

/** How a campaign is measured: percent of its emails, which is the same for campaigns of any size, or how often in all. */
interface Measure {
  of(campaign: Compared, at: Curve): number
  inWords(value: number): string
}

const share: Measure = {
  of: ({ counted }, { engaged }) => (counted > 0 ? Math.round((engaged / counted) * 1_000) / 10 : 0),
  inWords: (percent) => formatShare(percent / 100),
}
const times: Measure = { of: (_, at) => at.times, inWords: formatNumber }

/** Chosen campaigns over each other, from the first email of each on. How it is looked at stands in the address. */
export function Compare({ kind, filter }: { kind: EngagementKind; filter: AnalyticsFilter }) {
  const [search] = useSearchParams()
  const unit = search.get('over') === 'days' ? 'day' : 'hour'
  const measure = search.get('measure') === 'times' ? times : share
  const query = useQuery({
    queryKey: ['gmail-analytics', 'curves', filterKey(filter), unit],
    queryFn: () => api(gmailAnalytics.curves, { query: { ...filter, campaigns: filter.campaigns ?? '', unit } }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const words = engagementWords[kind]
  return (
    <Card
      title="Campaign comparison"
      description="Time is measured from the first email of each campaign, so campaigns sent at different times can be compared."
      action={
        <div className="flex flex-wrap gap-2">
          <UrlSelect
            param="measure"
            label="Measure"
            all={words.rate}
            options={[{ value: 'times', label: `${words.times} by people` }]}
            className="w-40"
          />
          <UrlSelect
            param="over"
            label="Time"
            all="First 3 days"
            options={[{ value: 'days', label: 'First 60 days' }]}
            className="w-36"
          />
        </div>
      }
    >
      {query.isError && !query.data ? (
        <ErrorState title="The campaigns could not be compared" error={query.error} onRetry={() => query.refetch()} />
      ) : query.data ? (
        <Curves kind={kind} curves={query.data} measure={measure} />
      ) : (
        <Skeleton className="h-72" />
      )}
    </Card>
  )
}

function Curves({ kind, curves, measure }: { kind: EngagementKind; curves: GmailCurves; measure: Measure }) {
  const words = engagementWords[kind]
  const known = curves.campaigns.filter(({ counted }) => counted > 0)
  const unknown = curves.campaigns.filter(({ counted }) => counted === 0)
  const drawn = known.slice(0, lines.length)
  const what = measure === share ? words.rate : words.times
  return (
    <div className="space-y-4">
      {drawn.length > 0 && (
        <div className="space-y-5">
          <SeriesChart
            label={`${what} per ${curves.unit} since the first email`}
            xLabel="Since first email"
            series={drawn.map(({ id, name }, index) => ({ key: id, label: name, meaning: lines[index] ?? 'line-1' }))}
            points={buildPoints(drawn, measure)}
            formatX={(x) => (curves.unit === 'hour' ? `${x} h` : plural(Number(x), 'day'))}
            formatValue={measure.inWords}
          />
          <div className="overflow-hidden rounded-card border">
            <DataTable
              label={`${what} compared`}
              columns={buildColumns(curves, drawn, measure)}
              rows={known}
              rowKey={({ id }) => id}
              href={({ id }) => `${channelPages.gmail.reports}/${id}`}
            />
          </div>
        </div>
      )}
      {known.length > drawn.length && (
        <p className="text-sm text-muted">The chart shows the first {drawn.length}. The table shows all of them.</p>
      )}
      {unknown.length > 0 && (
        <p className="text-sm text-muted">
          Unknown because tracking was off: {unknown.map(({ name }) => name).join(', ')}.
        </p>
      )}
    </div>
  )
}

/** A point for each unit that at least one campaign has come to; where a younger one ends, its number is missing. */
function buildPoints(campaigns: Compared[], measure: Measure): SeriesPoint[] {
  const longest = Math.max(...campaigns.map(({ curve }) => curve.length))
  return Array.from({ length: longest }, (_, index) => {
    const point: SeriesPoint = { x: String(index + 1) }
    for (const campaign of campaigns) {
      const at = campaign.curve[index]
      if (at) point[campaign.id] = measure.of(campaign, at)
    }
    return point
  })
}

/** Two marks on the way and where it stands now. */
function buildColumns({ unit }: GmailCurves, drawn: Compared[], measure: Measure): Column<Compared>[] {
  const marks = unit === 'hour' ? [1, 6, 24, 72] : [1, 7, 30, 60]
  return [
    {
      id: 'name',
      header: 'Campaign',
      cell: (row) => {
        const line = lines[drawn.indexOf(row)]
        return (
          <span className="flex items-center gap-2" title={row.name}>
            {line && <Key meaning={line} />}
            <span className="min-w-0 wrap-anywhere md:max-w-48 md:truncate">{row.name}</span>
          </span>
        )
      },
    },
    { id: 'first', header: 'First email', number: true, wideOnly: true, cell: (row) => formatMoment(row.firstAt) },
    ...marks.map(
      (mark): Column<Compared> => ({
        id: `${mark}`,
        header: unit === 'hour' ? `${mark} h` : plural(mark, 'day'),
        number: true,
        cell: (row) => {
          const at = row.curve[mark - 1]
          return at ? measure.inWords(measure.of(row, at)) : <span className="text-muted">-</span>
        },
      }),
    ),
    {
      id: 'now',
      header: 'Now',
      number: true,
      cell: (row) => (
        <strong className="font-medium">
          {measure.inWords(measure.of(row, { after: 0, engaged: row.engaged, times: row.human }))}
        </strong>
      ),
    },
  ]
}
