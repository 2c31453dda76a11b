import { Info } from 'lucide-react'
import { Link } from 'react-router'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatRate } from '#web/ui/lib/format.ts'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'

interface FigureProps {
  label: string
  /** Already formatted. */
  value: React.ReactNode
  /** The number behind a rate, or what it is of. */
  note?: React.ReactNode
  /** The average rate of earlier campaigns; null: there is none to compare with; undefined: it is not compared. */
  average?: number | null | undefined
  /** How it is counted, or why there is no number yet. */
  hint?: string
  /** The people it counts. */
  to?: string | undefined
}

/** One figure of a report beside its average. With `to`, pressing it opens the list of people. */
export function Figure({ label, value, note, average, hint, to }: FigureProps) {
  const look = 'relative flex min-w-0 flex-col rounded-card border bg-surface px-3 py-3.5 sm:px-3.5'
  return (
    <div className={cx(look, to && 'transition-colors hover:border-control hover:bg-raised')}>
      <span className="flex items-center justify-between gap-1 text-sm whitespace-nowrap text-muted">
        {to ? (
          <Link to={to} className="rounded-control after:absolute after:inset-0 after:rounded-card">
            {label}
          </Link>
        ) : (
          label
        )}
        {hint && (
          <Tooltip text={hint}>
            <button type="button" className="relative z-1 rounded-control text-muted hover:text-ink">
              <Info aria-label={`About ${label}`} className="size-3.5 shrink-0" />
            </button>
          </Tooltip>
        )}
      </span>
      <span
        className={cx(
          'mt-1 tracking-tight tabular-nums',
          value === 'unknown' ? 'text-lg leading-8 font-medium text-muted' : 'text-xl font-semibold text-ink',
        )}
      >
        {value}
      </span>
      {note && <span className="text-sm text-text tabular-nums">{note}</span>}
      {average !== undefined && (
        <span className="mt-auto pt-1.5 text-sm text-muted tabular-nums">Average {formatRate(average)}</span>
      )}
    </div>
  )
}

/** Figures of a report in equal columns, and what their averages are of. */
export function FigureGrid({
  children,
  footnote,
  columns = 6,
}: {
  children: React.ReactNode
  footnote?: React.ReactNode
  columns?: 6 | 7
}) {
  return (
    <div>
      <div
        className={cx(
          'grid grid-cols-2 gap-3',
          columns === 7 ? 'sm:grid-cols-4 wide:grid-cols-7' : 'sm:grid-cols-3 wide:grid-cols-6',
        )}
      >
        {children}
      </div>
      {footnote && <p className="mt-2 text-sm text-muted">{footnote}</p>}
    </div>
  )
}
