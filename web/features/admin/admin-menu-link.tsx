import { ShieldCheck } from 'lucide-react'
import type { User } from '#contracts/accounts/accounts.ts'
import { MenuLink } from '#web/ui/overlay/dropdown-menu.tsx'

/** The way into the admin area, in the badge's menu; nothing for anybody else. */
export function AdminMenuLink({ user }: { user: User | undefined }) {
  if (user?.role !== 'admin') return null
  return (
    <MenuLink to="/admin/users">
      <ShieldCheck aria-hidden="true" />
      Admin
    </MenuLink>
  )
}
