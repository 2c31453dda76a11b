import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { findDash, isLine, type Series, type SeriesPoint } from './series.ts'

interface SeriesPlotProps {
  series: Series[]
  points: SeriesPoint[]
  formatX: (x: string) => string
  formatValue: (value: number) => string
}

const tick = { fill: 'var(--color-muted)', fontSize: 12 }

/** The drawing itself; loaded by SeriesChart when it is needed. */
export default function SeriesPlot({ series, points, formatX, formatValue }: SeriesPlotProps) {
  const still = typeof matchMedia === 'undefined' || matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart data={points} margin={{ top: 6, right: 6, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <defs>
          <pattern id="machine-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" fill="var(--color-chart-machine)" opacity="0.18" />
            <line x1="0" y1="0" x2="0" y2="6" stroke="var(--color-chart-machine)" strokeWidth="2.5" opacity="0.6" />
          </pattern>
        </defs>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="x" tickFormatter={formatX} tick={tick} tickLine={false} axisLine={false} minTickGap={40} />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={44}
          allowDecimals={false}
          tickFormatter={(value: number) => formatValue(value)}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--color-control)' }}
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
        {series.map((one) => (
          <Area
            key={one.key}
            dataKey={one.key}
            name={one.label}
            type="monotone"
            stroke={`var(--color-chart-${one.meaning})`}
            strokeWidth={one.meaning === 'machine' ? 1 : 2}
            strokeDasharray={findDash(one.meaning)}
            fill={one.meaning === 'machine' ? 'url(#machine-hatch)' : `var(--color-chart-${one.meaning})`}
            fillOpacity={one.meaning === 'machine' ? 1 : isLine(one.meaning) ? 0 : 0.1}
            isAnimationActive={!still}
            animationDuration={200}
          />
        ))}
      </AreaChart>
    </ResponsiveContainer>
  )
}
