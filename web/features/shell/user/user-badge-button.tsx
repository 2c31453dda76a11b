import { ChevronsUpDown } from 'lucide-react'
import type { User } from '#contracts/accounts/accounts.ts'
import { planLabel, toInitials } from './user-badge.ts'

interface UserBadgeProps extends React.ComponentProps<'button'> {
  user: User | undefined
  plan: string | undefined
}

/** The initials, the name and the plan of the signed-in user, as the button that opens the user menu. */
export function UserBadge({ user, plan, ...button }: UserBadgeProps) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      {...button}
      className="flex w-full items-center gap-3 rounded-control px-2 py-1.5 text-left transition-colors hover:bg-hover"
    >
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-text"
      >
        {toInitials(user?.name)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-base font-medium text-ink">{user?.name.trim() || 'User'}</span>
        <span className="block truncate text-sm text-muted">{planLabel(plan)}</span>
      </span>
      <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </button>
  )
}
