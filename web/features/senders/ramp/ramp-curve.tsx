import { cx } from '#web/ui/lib/class-names.ts'
import { formatNumber } from '#web/ui/lib/format.ts'

/** The daily limits of a ramp-up as bars; the day it is on (from 1) stands out. */
export function RampCurve({ curve, day }: { curve: number[]; day?: number | undefined }) {
  const most = Math.max(1, ...curve)
  const [first = 0, last = 0] = [curve[0], curve.at(-1)]
  return (
    <div className="mt-3">
      <div
        role="img"
        aria-label={`From ${formatNumber(first)} emails on day 1 to ${formatNumber(last)} on day ${curve.length}`}
        className="flex h-16 items-end gap-0.5"
      >
        {curve.map((limit, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the day
            key={index}
            title={`Day ${index + 1}: ${formatNumber(limit)}`}
            // By the root: on a straight scale the first days of such a curve are not visible.
            style={{ height: `${Math.max(6, Math.sqrt(limit / most) * 100)}%` }}
            className={cx('min-w-0 flex-1 rounded-sm', index + 1 === day ? 'bg-chart-opens' : 'bg-chart-opens/40')}
          />
        ))}
      </div>
      <div className="mt-1 flex justify-between text-sm text-muted tabular-nums">
        <span>Day 1: {formatNumber(first)}</span>
        <span>
          Day {curve.length}: {formatNumber(last)}
        </span>
      </div>
    </div>
  )
}
