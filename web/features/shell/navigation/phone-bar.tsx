import { MoreHorizontal, Plus } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { cx } from '#web/ui/lib/class-names.ts'
import { CreateOpener } from './create-button.tsx'
import { findCurrent, type NavEntry, phoneEntries } from './entries.ts'

const itemClass =
  'flex h-14 w-full min-w-0 flex-col items-center justify-center gap-0.5 text-xs font-medium max-[359px]:text-[0.65rem] transition-colors focus-visible:-outline-offset-2'

interface PhoneBarProps {
  plan: string | undefined
  /** The sidebar is open. */
  open: boolean
  onMore: (event: React.MouseEvent<HTMLElement>) => void
}

/** The bar at the foot of a narrow screen, under the thumb: the places opened most, Create, and the whole sidebar. */
export function PhoneBar({ plan, open, onMore }: PhoneBarProps) {
  const { dashboard, campaigns, contacts } = phoneEntries
  const current = findCurrent([dashboard, campaigns, contacts], useLocation().pathname)
  const toItem = (entry: NavEntry) => {
    const Icon = entry.icon
    return (
      <Link
        to={entry.to}
        aria-current={entry === current ? 'page' : undefined}
        className={cx(itemClass, entry === current ? 'text-accent-text' : 'text-muted')}
      >
        <Icon aria-hidden="true" className="size-5" />
        <span className="max-w-full truncate">{entry.label}</span>
      </Link>
    )
  }
  return (
    <nav
      aria-label="Shortcuts"
      className="fixed inset-x-0 bottom-0 z-20 border-t bg-surface pb-[env(safe-area-inset-bottom)] wide:hidden"
    >
      <ul className="mx-auto grid max-w-xl grid-cols-5">
        <li className="min-w-0">{toItem(dashboard)}</li>
        <li className="min-w-0">{toItem(campaigns)}</li>
        <li className="min-w-0">
          <CreateOpener plan={plan} side="top" className={cx(itemClass, 'text-accent-text')}>
            <span className="grid size-6 place-items-center rounded-full bg-accent text-on-accent">
              <Plus aria-hidden="true" className="size-4" />
            </span>
            Create
          </CreateOpener>
        </li>
        <li className="min-w-0">{toItem(contacts)}</li>
        <li className="min-w-0">
          <button
            type="button"
            aria-controls="sidebar"
            aria-expanded={open}
            onClick={onMore}
            className={cx(itemClass, 'text-muted')}
          >
            <MoreHorizontal aria-hidden="true" className="size-5" />
            More
          </button>
        </li>
      </ul>
    </nav>
  )
}
