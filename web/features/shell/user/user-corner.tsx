import type { User } from '#contracts/accounts/accounts.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { loadMenus, opensMenu, useLazyPart } from '../lazy-part.ts'
import { UserBadge } from './user-badge-button.tsx'

interface UserCornerProps {
  user: User | undefined
  plan: string | undefined
  onLogOut: () => void
}

/** The foot of the sidebar. The menu behind the badge is 30 kB of script, fetched when somebody is about to open it. */
export function UserCorner({ user, plan, onLogOut }: UserCornerProps) {
  const menu = useLazyPart(loadMenus, () =>
    // Logging out works without the menu, and without a connection.
    toast.error('The menu could not be loaded. Check your connection and try again.', {
      action: { label: 'Logout', onClick: onLogOut },
    }),
  )
  if (menu.part) return <menu.part.UserMenu user={user} plan={plan} onLogOut={onLogOut} />
  return (
    <UserBadge
      user={user}
      plan={plan}
      onPointerEnter={menu.prepare}
      onFocus={menu.prepare}
      onClick={menu.open}
      onKeyDown={(event) => opensMenu(event) && void menu.open()}
    />
  )
}
