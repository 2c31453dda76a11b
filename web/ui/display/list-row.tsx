import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { cx } from '../lib/class-names.ts'

interface ListRowProps {
  to: string
  /** Whether the item it opens is shown beside the list; such a row is scrolled into view. */
  selected: boolean
  /** Its usual height in pixels, reserved while it is out of view. */
  height: number
  className: string
  children: React.ReactNode
}

/** A row of a list that stands beside what it opens, such as an inbox. Rows out of view cost no layout, so that long lists stay quick. */
export function ListRow({ to, selected, height, className, children }: ListRowProps) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (selected) link.current?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <li className="[content-visibility:auto]" style={{ containIntrinsicSize: `auto ${height}px` }}>
      <Link
        ref={link}
        to={to}
        replace={selected}
        preventScrollReset
        aria-current={selected || undefined}
        className={cx(
          'transition-colors focus-visible:-outline-offset-2',
          selected ? 'bg-accent-soft' : 'hover:bg-hover',
          className,
        )}
      >
        {children}
      </Link>
    </li>
  )
}
