import { Menu, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, NavLink, useNavigate } from 'react-router'
import { useToken } from '#web/session.ts'
import { Wordmark } from '#web/ui/brand.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'

const links = [
  { to: '/', label: 'Home' },
  { to: '/about', label: 'About Us' },
  { to: '/services', label: 'Services' },
  { to: '/templates', label: 'Templates' },
  { to: '/blogs', label: 'Blogs' },
  { to: '/contact', label: 'Contact Us' },
]

/** The bar over public pages. Whether someone is signed in is told by the token alone. */
export function SiteNav() {
  const [open, setOpen] = useState(false)
  const bar = useRef<HTMLElement>(null)

  useEffect(() => {
    if (!open) return
    const wide = matchMedia('(min-width: 1025px)')
    const onWide = () => wide.matches && setOpen(false)
    const onPointer = (event: PointerEvent) => {
      if (!bar.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    wide.addEventListener('change', onWide)
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      wide.removeEventListener('change', onWide)
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])

  const close = () => setOpen(false)
  return (
    <header ref={bar} className="sticky top-0 z-30 border-b bg-page/90 backdrop-blur-md">
      <div className="mx-auto flex h-16 max-w-300 items-center gap-8 px-5 sm:px-8">
        <Link to="/" aria-label="Postlark, home" className="flex rounded-control">
          <Wordmark />
        </Link>
        <nav aria-label="Main" className="hidden flex-1 items-center gap-1 wide:flex">
          {links.map((link) => (
            <NavLink
              key={link.to}
              to={link.to}
              end
              className="rounded-control px-2.5 py-1.5 text-base font-medium text-text transition-colors hover:text-ink aria-[current=page]:text-accent-text"
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
          {open ? <X aria-hidden="true" className="size-5" /> : <Menu aria-hidden="true" className="size-5" />}
        </button>
      </div>
      {open && (
        <div
          id="mobile-menu"
          className="absolute inset-x-0 top-full animate-float-in border-b bg-page px-5 pt-2 pb-6 shadow-float wide:hidden"
        >
          <nav aria-label="Main">
            {[...links, { to: '/pricing', label: 'Pricing' }].map((link) => (
              <NavLink
                key={link.to}
                to={link.to}
                end
                onClick={close}
                className="block border-b py-3 text-md font-medium text-ink aria-[current=page]:text-accent-text"
              >
                {link.label}
              </NavLink>
            ))}
          </nav>
          <div className="mt-5 flex flex-col gap-2 sm:flex-row">
            <SessionButtons onChoose={close} />
          </div>
        </div>
      )}
    </header>
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
            const { logOut } = await import('#web/features/accounts/log-out.ts')
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
  return (
    <>
      <ButtonLink kind="quiet" to="/login" onClick={onChoose}>
        Log in
      </ButtonLink>
      <ButtonLink kind="primary" to="/signup" onClick={onChoose}>
        Get Started For Free
      </ButtonLink>
    </>
  )
}
