import { Tabs as Primitive } from 'radix-ui'
import { useEffect, useRef } from 'react'
import { Link, matchPath, useLocation } from 'react-router'
import { cx } from '../lib/class-names.ts'

const rowClass = 'flex gap-1 overflow-x-auto border-b [scrollbar-width:none]'
const tabClass =
  '-mb-px inline-flex h-10 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-base font-medium text-muted whitespace-nowrap ' +
  'transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent-text data-[state=active]:text-ink ' +
  'aria-[current=page]:border-accent-text aria-[current=page]:text-ink'

/** Tabs inside one page: the parts are all here, only one is shown. */
export function Tabs<V extends string>(props: {
  label: string
  tabs: { value: V; label: React.ReactNode; content: React.ReactNode }[]
  value?: V
  onChange?: (value: V) => void
}) {
  return (
    <Primitive.Root
      defaultValue={props.tabs[0]?.value}
      {...(props.value !== undefined && { value: props.value })}
      onValueChange={(value) => props.onChange?.(value as V)}
    >
      <Primitive.List aria-label={props.label} className={rowClass}>
        {props.tabs.map((tab) => (
          <Primitive.Trigger key={tab.value} value={tab.value} className={tabClass}>
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {props.tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}

interface TabLink {
  to: string
  label: React.ReactNode
  /** Only for that very address, not for those below it. */
  end?: boolean
  /** Other addresses whose pages belong to this tab. */
  also?: RegExp
}

const isOn = ({ to, end = false, also }: TabLink, pathname: string): boolean =>
  matchPath({ path: to, end }, pathname) !== null || also?.test(pathname) === true

/** A row of tabs that are pages of their own. */
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
    <nav ref={row} aria-label={label} className={cx(rowClass, 'relative', className)}>
      {links.map((link) => (
        <Link key={link.to} to={link.to} aria-current={isOn(link, pathname) ? 'page' : undefined} className={tabClass}>
          {link.label}
        </Link>
      ))}
    </nav>
  )
}
