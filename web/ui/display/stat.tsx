import { Link } from 'react-router'
import { cx } from '../lib/class-names.ts'

interface StatProps {
  label: string
  /** Already formatted: use formatNumber and formatShare, which say "unknown" where nothing is known. */
  value: React.ReactNode
  /** A quiet second line: the formula, the machine share, the limit. */
  note?: React.ReactNode
  /** The list behind the number. */
  to?: string
  className?: string
}

/** One number with its name. With `to`, the whole tile opens the list behind it. */
export function Stat({ label, value, note, to, className }: StatProps) {
  const body = (
    <>
      <span className="block text-sm text-muted">{label}</span>
      <span className="mt-1 block text-xl font-semibold text-ink tabular-nums tracking-tight">{value}</span>
      {note && <span className="mt-0.5 block text-sm text-muted">{note}</span>}
    </>
  )
  const look = cx('block min-w-0 rounded-card border bg-surface px-4 py-3.5', className)
  if (!to) return <div className={look}>{body}</div>
  return (
    <Link to={to} className={cx(look, 'transition-colors hover:border-control hover:bg-raised')}>
      {body}
    </Link>
  )
}
