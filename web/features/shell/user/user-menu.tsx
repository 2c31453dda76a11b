import { LogOut, UserRound } from 'lucide-react'
import type { User } from '#contracts/accounts/accounts.ts'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { ThemeChoice } from '#web/ui/theme/theme-choice.tsx'
import { UserBadge } from './user-badge-button.tsx'

interface UserMenuProps {
  user: User | undefined
  plan: string | undefined
  onLogOut: () => void
}

/** The badge with its menu, open from the start: its code is fetched when the badge is pressed for the first time. */
export function UserMenu({ user, plan, onLogOut }: UserMenuProps) {
  return (
    <Menu side="top" align="start" defaultOpen trigger={<UserBadge user={user} plan={plan} />}>
      <MenuLink to="/account">
        <UserRound aria-hidden="true" />
        Account
      </MenuLink>
      <MenuSeparator />
      <ThemeChoice />
      <MenuSeparator />
      <MenuItem onSelect={onLogOut}>
        <LogOut aria-hidden="true" />
        Logout
      </MenuItem>
    </Menu>
  )
}
