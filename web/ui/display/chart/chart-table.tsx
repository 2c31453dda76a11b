import type { Series, SeriesPoint } from './series.ts'

interface ChartTableProps {
  label: string
  series: Pick<Series, 'key' | 'label'>[]
  points: SeriesPoint[]
  formatX: (x: string) => string
  xLabel: string
  formatValue: (value: number) => string
}

/** The numbers of a chart as a table. */
export function ChartTable({ label, series, points, formatX, xLabel, formatValue }: ChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section tabIndex={0} aria-label={label} className="max-h-80 overflow-auto rounded-card border">
      <table className="w-full text-base">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="sticky top-0 h-9 border-b bg-surface px-4 text-left font-medium">
              {xLabel}
            </th>
            {series.map((one) => (
              <th key={one.key} scope="col" className="sticky top-0 border-b bg-surface px-4 text-right font-medium">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.x} className="border-b last:border-0">
              <th scope="row" className="h-9 px-4 text-left font-normal text-text">
                {formatX(point.x)}
              </th>
              {series.map((one) => (
                <td key={one.key} className="px-4 text-right text-ink">
                  {point[one.key] === undefined ? (
                    <span className="text-muted">-</span>
                  ) : (
                    formatValue(Number(point[one.key]))
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
