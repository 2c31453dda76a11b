import { ChevronsUpDown, Lock, LogOut, UserRound } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { User } from '#contracts/accounts.ts'
import { isPaid } from '#contracts/plans.ts'
import { AdminMenuLink } from '#web/features/admin/index.ts'
import { cx } from '#web/ui/class-names.ts'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { ThemeChoice } from '#web/ui/theme-choice.tsx'
import { type Entry, groups } from './entries.ts'
import { initialsOf, planLabel } from './user-badge.ts'

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
        <Menu side="top" align="start" trigger={<UserBadge user={user} plan={plan} />}>
          <MenuLink to="/account">
            <UserRound aria-hidden="true" />
            Account
          </MenuLink>
          <AdminMenuLink user={user} />
          <MenuSeparator />
          <ThemeChoice />
          <MenuSeparator />
          <MenuItem onSelect={onLogOut}>
            <LogOut aria-hidden="true" />
            Logout
          </MenuItem>
        </Menu>
      </div>
    </>
  )
}

function EntryLink({ entry, locked, onChoose }: { entry: Entry; locked: boolean; onChoose: () => void }) {
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

function UserBadge({ user, plan, ...trigger }: { user: User | undefined; plan: string | undefined }) {
  return (
    <button
      type="button"
      {...trigger}
      className="flex w-full items-center gap-3 rounded-control p-2 text-left transition-colors hover:bg-hover"
    >
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-text"
      >
        {initialsOf(user?.name)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-base font-medium text-ink">{user?.name.trim() || 'User'}</span>
        <span className="block truncate text-sm text-muted">{planLabel(plan)}</span>
      </span>
      <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </button>
  )
}
