import { Link, Outlet } from 'react-router'
import { Wordmark } from '#web/ui/theme/brand.tsx'

/** The quiet frame of the sign-in pages: the mark, one card, nothing else. */
export default function AccountLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex justify-center px-4 pt-10 sm:pt-16">
        <Link to="/" aria-label="Postlark, home" className="flex rounded-control">
          <Wordmark />
        </Link>
      </header>
      <main className="mx-auto w-full max-w-[26.5rem] flex-1 px-4 py-8">
        <Outlet />
      </main>
    </div>
  )
}
