import { useState } from 'react'
import type { User } from '#contracts/accounts/accounts.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { UserBadge } from './user-badge-button.tsx'

interface UserCornerProps {
  user: User | undefined
  plan: string | undefined
  onLogOut: () => void
}

const loadMenu = async () => (await import('./user-menu.tsx')).UserMenu

/** The foot of the sidebar. The menu behind the badge is 30 kB of script, fetched when somebody is about to open it. */
export function UserCorner({ user, plan, onLogOut }: UserCornerProps) {
  const [UserMenu, setUserMenu] = useState<Awaited<ReturnType<typeof loadMenu>>>()
  if (UserMenu) return <UserMenu user={user} plan={plan} onLogOut={onLogOut} />

  async function open() {
    try {
      const loaded = await loadMenu()
      setUserMenu(() => loaded)
    } catch {
      // Logging out works without the menu, and without a connection.
      toast.error('The menu could not be loaded. Check your connection and try again.', {
        action: { label: 'Logout', onClick: onLogOut },
      })
    }
  }
  // A user who points at the badge presses it next; pressing it says what failed.
  const prepare = () => void loadMenu().catch(() => undefined)
  return (
    <UserBadge
      user={user}
      plan={plan}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        void open()
      }}
    />
  )
}
