import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '../../feedback/skeleton.tsx'
import { formatNumber } from '../../lib/format.ts'
import { ChartTable } from './chart-table.tsx'
import { Key } from './key.tsx'
import type { Series, SeriesPoint } from './series.ts'

const Plot = lazy(() => import('./series-plot.tsx'))

interface SeriesChartProps {
  /** What is shown, in words: "Opens and clicks by hour". */
  label: string
  /** One or more curves; colors have fixed meanings, see series.ts. */
  series: Series[]
  /** Further numbers of each point, in the table only. */
  tableOnly?: Pick<Series, 'key' | 'label'>[]
  points: SeriesPoint[]
  /** How the x value is written in the table, on hover and, unless told, under the axis. */
  formatX: (x: string) => string
  /** How it is written under the axis, where that is shorter. */
  formatTick?: (x: string) => string
  /** Which x values are written under the axis; as many as fit where omitted. */
  ticks?: string[]
  /** A moment to point out, at one of the x values. */
  mark?: { x: string; label: string }
  /** The name of the table's first column. */
  xLabel: string
  /** How a number is written; as a count where omitted. */
  formatValue?: (value: number) => string
  height?: number
}

/** Curves over time with the same numbers as a table behind one press. The plotting library loads only where a chart is. */
export function SeriesChart(props: SeriesChartProps) {
  const { label, series, tableOnly = [], points, formatX, xLabel, formatValue = formatNumber, height = 260 } = props
  const { formatTick = formatX, ticks, mark } = props
  const [asTable, setAsTable] = useState(false)
  return (
    <figure className="min-w-0">
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-x-5 gap-y-2 text-sm text-text">
        <span className="sr-only">{label}</span>
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {series.map((one) => (
            <li key={one.key} className="flex min-w-0 items-center gap-1.5">
              <Key meaning={one.meaning} />
              <span className="wrap-anywhere">{one.label}</span>
            </li>
          ))}
        </ul>
        <button
          type="button"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
          className="rounded-control font-medium text-accent-text hover:underline"
        >
          {asTable ? 'Show the chart' : 'Show as a table'}
        </button>
      </figcaption>
      {asTable ? (
        <ChartTable {...{ label, points, formatX, xLabel, formatValue }} series={[...series, ...tableOnly]} />
      ) : (
        <div aria-hidden="true" className="overflow-x-clip" style={{ height }}>
          <Suspense fallback={<Skeleton className="size-full" />}>
            <Plot {...{ series, points, formatX, formatTick, formatValue, ticks, mark }} />
          </Suspense>
        </div>
      )}
    </figure>
  )
}
