import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { cx } from '../lib/class-names.ts'

/** The look of a row of tabs and of one of them, for tabs of either kind. */
export const tabRowClass = 'flex gap-1 overflow-x-auto border-b fade-x [scrollbar-width:none]'
export const tabClass =
  '-mb-px inline-flex h-10 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-base font-medium text-muted whitespace-nowrap ' +
  'transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent-text data-[state=active]:text-ink ' +
  'aria-[current=page]:border-accent-text aria-[current=page]:text-ink'

export interface TabLink {
  to: string
  label: React.ReactNode
  /** Other addresses of the same page. */
  also?: string[]
}

/** Whether the address is the tab's page itself, not one below it. */
export function isTabPage({ to, also = [] }: TabLink, pathname: string): boolean {
  return [to, ...also].includes(pathname.replace(/(?<=.)\/$/, ''))
}

/** A row of tabs that are pages of their own. Where it scrolls, it fades at the edge that hides more. */
export function TabLinks({ label, links, className }: { label: string; links: TabLink[]; className?: string }) {
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a narrow screen the tab one is on may stand beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current tab
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current=page]')
    if (row.current && current)
      row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2
  }, [pathname])
  return (
    <nav ref={row} aria-label={label} className={cx(tabRowClass, 'relative', className)}>
      {links.map((link) => (
        <Link
          key={link.to}
          to={link.to}
          aria-current={isTabPage(link, pathname) ? 'page' : undefined}
          className={tabClass}
        >
          {link.label}
        </Link>
      ))}
    </nav>
  )
}
