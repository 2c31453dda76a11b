import { Lock } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { User } from '#contracts/accounts/accounts.ts'
import { isPaid } from '#contracts/billing/plans.ts'
import { cx } from '#web/ui/lib/class-names.ts'
import { groups, type NavEntry } from './entries.ts'
import { UserCorner } from './user-corner.tsx'

interface SidebarProps {
  user: User | undefined
  plan: string | undefined
  onChoose: () => void
  onLogOut: () => void
}

/** The navigation list with the user's badge at its foot. */
export function Sidebar({ user, plan, onChoose, onLogOut }: SidebarProps) {
  // Locks appear once it is known that the plan is free; a paying user never sees one flash.
  const free = plan !== undefined && !isPaid(plan)
  return (
    <>
      <nav aria-label="Tools" className="min-h-0 flex-1 overflow-y-auto px-3 pt-1 pb-4">
        {groups.map((group) => (
          <section key={group.label} aria-label={group.label} className="mt-4 first:mt-0">
            <p aria-hidden="true" className="px-2.5 pb-1 text-xs font-medium text-muted">
              {group.label}
            </p>
            <ul className="space-y-0.5">
              {group.entries.map((entry) => (
                <li key={entry.to}>
                  <EntryLink entry={entry} locked={free && entry.paid === true} onChoose={onChoose} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className="border-t p-3">
        <UserCorner user={user} plan={plan} onLogOut={onLogOut} />
      </div>
    </>
  )
}

function EntryLink({ entry, locked, onChoose }: { entry: NavEntry; locked: boolean; onChoose: () => void }) {
  const { pathname } = useLocation()
  const current =
    !locked && [entry.to, ...(entry.also ?? [])].some((path) => pathname === path || pathname.startsWith(`${path}/`))
  const Icon = entry.icon
  return (
    <Link
      to={locked ? '/plan' : entry.to}
      state={locked ? { tool: entry.to } : undefined}
      title={locked ? 'Upgrade to access' : undefined}
      aria-current={current ? 'page' : undefined}
      onClick={onChoose}
      className={cx(
        'flex h-8.5 items-center gap-2.5 rounded-control px-2.5 text-base font-medium transition',
        entry.highlighted
          ? 'bg-gradient-accent text-white hover:brightness-110'
          : current
            ? 'bg-accent-soft text-accent-text'
            : 'text-text hover:bg-hover hover:text-ink',
      )}
    >
      <Icon aria-hidden="true" className={cx('size-4 shrink-0', !entry.highlighted && !current && 'text-muted')} />
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {locked && <Lock aria-hidden="true" className="size-3.5 shrink-0 text-muted" />}
    </Link>
  )
}
