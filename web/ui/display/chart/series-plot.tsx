import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { findDash, isLine, type Series, type SeriesPoint } from './series.ts'

interface SeriesPlotProps {
  series: Series[]
  points: SeriesPoint[]
  formatX: (x: string) => string
  formatTick: (x: string) => string
  formatValue: (value: number) => string
  ticks: string[] | undefined
  mark: { x: string; label: string } | undefined
}

/** As many buckets as bars can be told apart; more are steps. Neither says anything between two of them. */
const MAX_BARS = 50

const tick = { fill: 'var(--color-muted)', fontSize: 12 }

/** The drawing itself; loaded by SeriesChart when it is needed. */
export default function SeriesPlot(props: SeriesPlotProps) {
  const { series, points, formatX, formatTick, formatValue, ticks, mark } = props
  const still = typeof matchMedia === 'undefined' || matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={points}
        margin={{ top: 6, right: 6, bottom: 0, left: 0 }}
        accessibilityLayer={false}
        barGap={1}
        barCategoryGap="18%"
      >
        <defs>
          <pattern id="machine-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" fill="var(--color-chart-machine)" opacity="0.18" />
            <line x1="0" y1="0" x2="0" y2="6" stroke="var(--color-chart-machine)" strokeWidth="2.5" opacity="0.6" />
          </pattern>
        </defs>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="x"
          tickFormatter={formatTick}
          {...(ticks && { ticks })}
          tick={tick}
          tickLine={false}
          axisLine={false}
          minTickGap={28}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width="auto"
          allowDecimals={false}
          tickFormatter={(value: number) => formatValue(value)}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--color-control)', fill: 'var(--color-hover)', fillOpacity: 0.6 }}
          labelFormatter={(x) => formatX(String(x))}
          formatter={(value) => formatValue(Number(value))}
          contentStyle={{
            background: 'var(--color-raised)',
            border: '1px solid var(--color-line)',
            borderRadius: 10,
            boxShadow: 'var(--shadow-float)',
            fontSize: 13,
          }}
          labelStyle={{ color: 'var(--color-ink)', fontWeight: 600 }}
          itemStyle={{ color: 'var(--color-text)', padding: 0 }}
        />
        {series.map((one) => drawSeries(one, points.length <= MAX_BARS, !still))}
        {mark && (
          <ReferenceLine
            x={mark.x}
            stroke="var(--color-control)"
            strokeDasharray="3 3"
            label={{ value: mark.label, position: 'insideTopLeft', fill: 'var(--color-muted)', fontSize: 12 }}
          />
        )}
      </ComposedChart>
    </ResponsiveContainer>
  )
}

function drawSeries({ key, label, meaning }: Series, asBars: boolean, isMoving: boolean) {
  const color = `var(--color-chart-${meaning})`
  const fill = meaning === 'machine' ? 'url(#machine-hatch)' : color
  const shared = { key, dataKey: key, name: label, isAnimationActive: isMoving, animationDuration: 200, fill }
  if (asBars && !isLine(meaning))
    return (
      <Bar
        {...shared}
        key={key}
        maxBarSize={28}
        radius={[2, 2, 0, 0]}
        stroke={meaning === 'machine' ? color : 'none'}
      />
    )
  return (
    <Area
      {...shared}
      key={key}
      type={isLine(meaning) ? 'linear' : 'step'}
      stroke={color}
      strokeWidth={meaning === 'machine' ? 1 : 2}
      strokeDasharray={findDash(meaning)}
      fillOpacity={meaning === 'machine' ? 1 : isLine(meaning) ? 0 : 0.1}
    />
  )
}
