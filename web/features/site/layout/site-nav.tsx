import { useEffect, useRef, useState } from 'react'
import { Link, NavLink, useNavigate } from 'react-router'
import { useToken } from '#web/session/session.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { Wordmark } from '#web/ui/theme/brand.tsx'
import { Glyph } from '#web/ui/theme/glyph.tsx'
import { navLinks, pricingLink } from './site-links.ts'

/** Closes an open menu on an outside press, on Escape, and when the window is over 1024 px wide. */
function useClosing(open: boolean, bar: React.RefObject<HTMLElement | null>, close: () => void) {
  useEffect(() => {
    if (!open) return
    const wide = matchMedia('(min-width: 1025px)')
    const onWide = (event: MediaQueryListEvent) => event.matches && close()
    const onPointer = (event: PointerEvent) => {
      if (!bar.current?.contains(event.target as Node)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      close()
      bar.current?.querySelector<HTMLElement>('[aria-controls=mobile-menu]')?.focus()
    }
    wide.addEventListener('change', onWide)
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      wide.removeEventListener('change', onWide)
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open, bar, close])
}

/** The bar over public pages. Whether someone is signed in is told by the token alone. */
export function SiteNav() {
  const [open, setOpen] = useState(false)
  const bar = useRef<HTMLElement>(null)
  const close = useRef(() => setOpen(false)).current
  useClosing(open, bar, close)
  return (
    <header ref={bar} className="sticky top-0 z-30 border-b bg-page/90 backdrop-blur-md">
      <a
        href="#content"
        className="absolute top-2 left-2 z-10 -translate-y-20 rounded-control bg-accent px-3.5 py-2 text-base font-medium text-on-accent focus:translate-y-0"
      >
        Skip to main content
      </a>
      <div className="mx-auto flex h-16 max-w-300 items-center gap-8 px-5 sm:px-8">
        <Link to="/" aria-label="Postlark, home" className="flex rounded-control">
          <Wordmark />
        </Link>
        <nav aria-label="Main" className="hidden flex-1 items-center gap-1 wide:flex">
          {navLinks.map((link) => (
            <NavLink
              key={link.to}
              to={link.to}
              end
              className="rounded-control px-2.5 py-1.5 text-base font-medium text-text transition-colors hover:bg-hover hover:text-ink aria-[current=page]:text-accent-text"
            >
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto hidden items-center gap-2 wide:flex">
          <SessionButtons onChoose={close} />
        </div>
        <button
          type="button"
          aria-label={open ? 'Close menu' : 'Open menu'}
          aria-expanded={open}
          aria-controls="mobile-menu"
          onClick={() => setOpen(!open)}
          className="ml-auto grid size-10 place-items-center rounded-control text-text hover:bg-hover wide:hidden"
        >
          <Glyph path={open ? 'M5 5l10 10M15 5L5 15' : 'M3 5.5h14M3 10h14M3 14.5h14'} />
        </button>
      </div>
      <div
        id="mobile-menu"
        hidden={!open}
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] animate-float-in overflow-y-auto border-b bg-page px-5 pt-2 pb-6 shadow-float wide:hidden"
      >
        {open && <MobileMenu onChoose={close} />}
      </div>
    </header>
  )
}

function MobileMenu({ onChoose }: { onChoose: () => void }) {
  return (
    <>
      <nav aria-label="Main">
        {[...navLinks, pricingLink].map((link) => (
          <NavLink
            key={link.to}
            to={link.to}
            end
            onClick={onChoose}
            className="block border-b py-3 text-md font-medium text-ink aria-[current=page]:text-accent-text"
          >
            {link.label}
          </NavLink>
        ))}
      </nav>
      <div className="mt-5 grid gap-2 sm:grid-cols-2">
        <SessionButtons onChoose={onChoose} />
      </div>
    </>
  )
}

function SessionButtons({ onChoose }: { onChoose: () => void }) {
  const token = useToken()
  const navigate = useNavigate()
  if (token)
    return (
      <>
        <Button
          kind="quiet"
          onClick={async () => {
            onChoose()
            // Loaded when it is needed: the contracts it brings along are more script than the rest of this page.
            const { logOut } = await import('#web/session/log-out.ts')
            await logOut()
            await navigate('/login')
          }}
        >
          Logout
        </Button>
        <ButtonLink kind="primary" to="/dashboard" onClick={onChoose}>
          My Account
        </ButtonLink>
      </>
    )
  // The server cannot know who is signed in: until the browser does, they stay out of sight of those who are.
  const hidden = cx(token === undefined && 'before-session')
  return (
    <>
      <ButtonLink kind="quiet" to="/login" onClick={onChoose} className={hidden}>
        Log in
      </ButtonLink>
      <ButtonLink kind="primary" to="/signup" onClick={onChoose} className={hidden}>
        Get Started For Free
      </ButtonLink>
    </>
  )
}
