import { ChevronDown } from 'lucide-react'
import { cx } from '#web/ui/lib/class-names.ts'
import type { NavGroup } from './entries.ts'

interface NavGroupProps {
  group: NavGroup
  collapsed: boolean
  onToggle: () => void
  children: React.ReactNode
}

/** A group of entries below a heading that folds it up. */
export function NavGroupSection({ group, collapsed, onToggle, children }: NavGroupProps) {
  const list = `sidebar-${group.id}`
  return (
    <section aria-label={group.label} className="mt-3 short:mt-1">
      <button
        type="button"
        aria-expanded={!collapsed}
        aria-controls={list}
        onClick={onToggle}
        className="group flex h-6 w-full items-center gap-1 rounded-control px-2.5 text-xs font-medium text-muted transition-colors hover:text-ink"
      >
        {group.label}
        <ChevronDown
          aria-hidden="true"
          className={cx(
            'size-3.5 transition group-hover:opacity-100 group-focus-visible:opacity-100',
            collapsed ? '-rotate-90' : 'hover-device:opacity-0',
          )}
        />
      </button>
      <ul id={list} hidden={collapsed}>
        {children}
      </ul>
    </section>
  )
}
