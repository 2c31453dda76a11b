import { X } from 'lucide-react'
import { createContext, use } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../form/button.tsx'
import { cx } from '../lib/class-names.ts'
import { SkipLink } from './skip-link.tsx'

const NoticeContext = createContext<React.ReactNode>(null)

/** What every focused page below shows in its bar. */
export const FocusedPageNotice = NoticeContext.Provider

interface FocusedPageProps {
  /** Where the page is left to; `label` completes "Exit to ..." for screen readers. */
  exit: { to: string; label: string }
  /** Beside Exit: the name of what is edited. */
  left?: React.ReactNode
  center?: React.ReactNode
  /** At the right end: what is done with the page. */
  right?: React.ReactNode
  /** Exactly as high as the screen, without padding: the parts of the page scroll, not the page. */
  fill?: boolean
  children: React.ReactNode
}

/** A page without the sidebar: one bar of 48 px with the way out, and the whole screen below for one task. */
export function FocusedPage({ exit, left, center, right, fill, children }: FocusedPageProps) {
  const notice = use(NoticeContext)
  return (
    <div className={cx('flex flex-col', fill ? 'h-dvh overflow-hidden' : 'min-h-dvh')}>
      <SkipLink />
      <header className="sticky top-0 z-20 flex h-12 shrink-0 items-center gap-3 border-b bg-surface px-2 sm:px-3">
        <div className="flex min-w-0 flex-1 items-center gap-2">
          <Link to={exit.to} aria-label={`Exit to ${exit.label}`} className={buttonClass('quiet', 'sm')}>
            <X aria-hidden="true" className="size-4" />
            <span className="max-sm:sr-only">Exit</span>
          </Link>
          {left && <div className="flex min-w-0 items-center gap-2 border-l pl-3">{left}</div>}
        </div>
        {center && <div className="flex min-w-0 shrink-0 items-center justify-center gap-2">{center}</div>}
        {/* As wide as its buttons: what stands left of them gives way. */}
        <div className={cx('flex items-center justify-end gap-2', Boolean(center) && 'flex-1')}>
          {notice}
          {right}
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className={cx(
          'min-w-0 flex-1 outline-none',
          fill ? 'flex min-h-0 flex-col' : 'mx-auto w-full max-w-300 px-4 py-6 sm:px-8 wide:py-8',
        )}
      >
        {children}
      </main>
    </div>
  )
}
