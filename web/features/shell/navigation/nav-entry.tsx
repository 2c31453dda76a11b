import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import type { NavEntry } from './entries.ts'

interface EntryLinkProps {
  entry: NavEntry
  current: boolean
  /** Beyond the plan: it leads to the plans. */
  locked: boolean
  /** Shown at its end; 0 is not. */
  count?: number
  onChoose: () => void
}

/** One entry of the sidebar. */
export function EntryLink({ entry, current, locked, count = 0, onChoose }: EntryLinkProps) {
  const Icon = entry.icon
  const lit = current && !locked
  return (
    <Link
      to={locked ? '/plan' : entry.to}
      state={locked ? { tool: entry.to } : undefined}
      title={locked ? 'Upgrade to access' : undefined}
      aria-current={lit ? 'page' : undefined}
      onClick={onChoose}
      className={cx(
        'flex h-7 short:h-6 items-center gap-2.5 rounded-control px-2.5 text-base font-medium transition-colors',
        entry.highlighted && 'border-gradient-accent hover:[--fill:var(--color-hover)]',
        entry.highlighted && lit && '[--fill:var(--color-accent-soft)]',
        lit ? 'bg-accent-soft text-accent-text' : 'text-text hover:bg-hover hover:text-ink',
      )}
    >
      <Icon
        aria-hidden="true"
        className={cx('size-4 shrink-0', entry.highlighted ? 'text-accent-text' : !lit && 'text-muted')}
      />
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {locked && <Lock aria-hidden="true" className="size-3.5 shrink-0 text-muted" />}
      {count > 0 && (
        <span className="rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums">
          {count > 99 ? '99+' : formatNumber(count)}
          <span className="sr-only"> unread</span>
        </span>
      )}
    </Link>
  )
}
