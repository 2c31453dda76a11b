import { useLocation } from 'react-router'
import type { User } from '#contracts/accounts/accounts.ts'
import { isPaid } from '#contracts/billing/plans.ts'
import { SearchButton } from '../commands/search-button.tsx'
import { useUnread } from '../queries.ts'
import { useSandbox } from '../sandbox-banner.tsx'
import { UserCorner } from '../user/user-corner.tsx'
import { CreateButton } from './create-button.tsx'
import { dashboardEntry, findCurrent, footEntries, groups, type NavEntry } from './entries.ts'
import { EntryLink } from './nav-entry.tsx'
import { NavGroupSection } from './nav-group.tsx'
import { useCollapsed } from './use-collapsed.ts'

interface SidebarProps {
  user: User | undefined
  plan: string | undefined
  onChoose: () => void
  onLogOut: () => void
}

/** Create, the navigation in groups, and the user's badge at the foot. */
export function Sidebar({ user, plan, onChoose, onLogOut }: SidebarProps) {
  // Locks appear once it is known that the plan is free; a paying user never sees one flash.
  const free = plan !== undefined && !isPaid(plan)
  const { pathname } = useLocation()
  const [collapsed, toggle] = useCollapsed()
  const unread = useUnread(user !== undefined)
  const foot = footEntries({ admin: user?.role === 'admin', sandbox: useSandbox() })
  const current = findCurrent([dashboardEntry, ...groups.flatMap(({ entries }) => entries), ...foot], pathname)
  const toLink = (entry: NavEntry) => (
    <EntryLink
      entry={entry}
      current={entry === current}
      locked={free && entry.paid === true}
      count={entry.counts === 'unread' ? unread : 0}
      onChoose={onChoose}
    />
  )
  return (
    <>
      <div className="flex gap-2 px-3 pb-2">
        <CreateButton plan={plan} />
        <SearchButton onOpen={onChoose} />
      </div>
      <nav aria-label="Tools" className="flex min-h-0 flex-1 flex-col">
        <div className="min-h-0 flex-1 overflow-y-auto px-3 pt-1 pb-4 fade-y short:pt-0 short:pb-1">
          {toLink(dashboardEntry)}
          {groups.map((group) => (
            <NavGroupSection
              key={group.id}
              group={group}
              collapsed={collapsed.has(group.id)}
              onToggle={() => toggle(group.id)}
            >
              {group.entries.map((entry) => (
                <li key={entry.to}>{toLink(entry)}</li>
              ))}
            </NavGroupSection>
          ))}
        </div>
        <ul className="border-t px-3 py-2 short:py-1">
          {foot.map((entry) => (
            <li key={entry.to}>{toLink(entry)}</li>
          ))}
        </ul>
      </nav>
      <div className="border-t p-1.5">
        <UserCorner user={user} plan={plan} onLogOut={onLogOut} />
      </div>
    </>
  )
}
