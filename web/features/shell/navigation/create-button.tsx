import { Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { channelPages } from '#web/channel-pages.ts'
import { buttonClass } from '#web/ui/form/button.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { loadMenus, opensMenu, useLazyPart } from '../lazy-part.ts'

interface CreateOpenerProps {
  plan: string | undefined
  side: 'top' | 'bottom'
  className: string
  children: React.ReactNode
}

/** A button that opens what can be created. */
export function CreateOpener({ plan, side, className, children }: CreateOpenerProps) {
  const navigate = useNavigate()
  const menu = useLazyPart(loadMenus, () =>
    toast.error('The menu could not be loaded. Check your connection and try again.', {
      action: { label: 'New campaign', onClick: () => void navigate(channelPages.email.wizard) },
    }),
  )
  if (menu.part)
    return (
      <menu.part.CreateMenu
        plan={plan}
        side={side}
        trigger={
          <button type="button" className={className}>
            {children}
          </button>
        }
      />
    )
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={menu.prepare}
      onFocus={menu.prepare}
      onClick={menu.open}
      onKeyDown={(event) => opensMenu(event) && void menu.open()}
    >
      {children}
    </button>
  )
}

/** Create, at the head of the sidebar. */
export function CreateButton({ plan }: { plan: string | undefined }) {
  return (
    <CreateOpener plan={plan} side="bottom" className={buttonClass('secondary', 'md', 'h-8! px-2.5! gap-1.5!')}>
      <Plus aria-hidden="true" className="size-4 text-accent-text" />
      Create
    </CreateOpener>
  )
}
