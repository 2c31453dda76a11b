import { Lock } from 'lucide-react'
import { isPaid } from '#contracts/billing/plans.ts'
import { Menu, MenuLink } from '#web/ui/overlay/dropdown-menu.tsx'
import { createActions } from './create-actions.ts'

interface CreateMenuProps {
  plan: string | undefined
  side: 'top' | 'bottom'
  trigger: React.ReactNode
}

/** What can be created, open from the start: its code is fetched when its button is pressed for the first time. */
export function CreateMenu({ plan, side, trigger }: CreateMenuProps) {
  const free = plan !== undefined && !isPaid(plan)
  return (
    <Menu side={side} align="start" defaultOpen trigger={trigger}>
      {createActions.map(({ to, label, icon: Icon, paid }) => {
        const locked = free && paid === true
        return (
          <MenuLink key={label} to={locked ? '/plan' : to} {...(locked && { state: { tool: to } })}>
            <Icon aria-hidden="true" />
            <span className="flex-1">{label}</span>
            {locked && (
              <span title="Upgrade to access">
                <Lock aria-hidden="true" className="size-3.5! text-muted" />
                <span className="sr-only">, upgrade to access</span>
              </span>
            )}
          </MenuLink>
        )
      })}
    </Menu>
  )
}
