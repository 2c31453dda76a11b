import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import type { Meaning } from './series.ts'

export interface BarItem {
  label: string
  value: number
  /** A quiet text after the number, such as a share. */
  note?: string
  /** The list behind the number. */
  to?: string
}

/** Names with bars behind them, largest first as given: links, clients, a funnel. It is a list of numbers, so it needs no table. */
export function BarList({
  label,
  items,
  meaning = 'opens',
  max,
}: {
  label: string
  items: BarItem[]
  meaning?: Meaning
  max?: number
}) {
  const top = max ?? Math.max(1, ...items.map((item) => item.value))
  return (
    <ul aria-label={label} className="space-y-1">
      {items.map((item) => (
        <li
          key={item.label}
          className="relative flex min-h-8 items-center justify-between gap-4 rounded-[4px] px-2.5 py-1 text-base"
        >
          <span
            aria-hidden="true"
            className="absolute inset-y-0 left-0 rounded-[4px] opacity-15"
            style={{ width: `${(item.value / top) * 100}%`, backgroundColor: `var(--color-chart-${meaning})` }}
          />
          <span className="relative min-w-0 truncate text-ink" title={item.label}>
            {item.to ? (
              <Link to={item.to} className="hover:underline">
                {item.label}
              </Link>
            ) : (
              item.label
            )}
          </span>
          <span className="relative shrink-0 tabular-nums">
            <span className="font-medium text-ink">{formatNumber(item.value)}</span>
            {item.note && <span className="ml-2 text-sm text-text">{item.note}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
