import { Menu as MenuIcon, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { User } from '#contracts/accounts/accounts.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { SkipLink } from '#web/ui/layout/skip-link.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { Wordmark } from '#web/ui/theme/brand.tsx'
import { PhoneBar } from './navigation/phone-bar.tsx'
import { Sidebar } from './navigation/sidebar.tsx'

interface FrameProps {
  user: User | undefined
  plan: string | undefined
  onLogOut: () => void
  /** Across the whole width, above everything. */
  banner: React.ReactNode
  children: React.ReactNode
}

/** The workbench: sidebar on the left over 1024 px; below, it slides in over the page and closes with a choice, Esc or the overlay. */
export function Frame({ user, plan, onLogOut, banner, children }: FrameProps) {
  const [open, setOpen] = useState(false)
  // The button it was opened with: the one at the top, or More at the foot.
  const opener = useRef<HTMLElement>(null)
  const aside = useRef<HTMLElement>(null)
  const { pathname } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is what closes it
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    if (!open) return
    const button = opener.current
    const wide = matchMedia('(min-width: 1025px)')
    const close = () => setOpen(false)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    aside.current?.focus()
    document.addEventListener('keydown', onKey)
    wide.addEventListener('change', close)
    return () => {
      document.removeEventListener('keydown', onKey)
      wide.removeEventListener('change', close)
      button?.focus()
    }
  }, [open])

  const openSidebar = (event: React.MouseEvent<HTMLElement>) => {
    opener.current = event.currentTarget
    setOpen(true)
  }

  return (
    <div className="min-h-dvh wide:pl-62">
      <SkipLink />
      <aside
        ref={aside}
        id="sidebar"
        tabIndex={-1}
        aria-label="Sidebar"
        className={cx(
          'fixed inset-y-0 left-0 z-40 flex w-62 max-w-[85vw] flex-col border-r bg-surface duration-200 outline-none wide:visible wide:translate-x-0',
          // Visible from the first moment it slides in, because what is not cannot take the focus; hidden only when it is out.
          open
            ? 'visible translate-x-0 shadow-dialog transition-[translate]'
            : 'transition-[translate,visibility] max-wide:invisible max-wide:-translate-x-full',
        )}
      >
        <div className="flex h-14 shrink-0 items-center justify-between pr-2 pl-5">
          <Link to="/" aria-label="Postlark, home" className="flex rounded-control">
            <Wordmark />
          </Link>
          <IconButton label="Close menu" className="wide:hidden" onClick={() => setOpen(false)}>
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        </div>
        <Sidebar user={user} plan={plan} onChoose={() => setOpen(false)} onLogOut={onLogOut} />
      </aside>
      {open && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Esc and the close button do the same
        <div
          data-overlay
          className="fixed inset-0 z-30 animate-fade-in bg-black/45 wide:hidden"
          onClick={() => setOpen(false)}
        />
      )}
      <div inert={open} className="flex min-h-dvh min-w-0 flex-col">
        {banner}
        <header className="flex h-14 items-center justify-between border-b bg-surface pr-2 pl-4 wide:hidden">
          <Link to="/" aria-label="Postlark, home" className="flex rounded-control">
            <Wordmark />
          </Link>
          <button
            type="button"
            aria-label="Open menu"
            aria-controls="sidebar"
            aria-expanded={open}
            onClick={openSidebar}
            className="grid size-10 place-items-center rounded-control text-text hover:bg-hover"
          >
            <MenuIcon aria-hidden="true" className="size-5" />
          </button>
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-300 min-w-0 flex-1 px-4 py-6 outline-none max-wide:pb-24 sm:px-8 wide:py-8"
        >
          {children}
        </main>
        <PhoneBar plan={plan} open={open} onMore={openSidebar} />
      </div>
    </div>
  )
}
