import { useState } from 'react'
import { useLocation } from 'react-router'
import { SectionProvider } from './section-additions.tsx'
import { isTabPage, type TabLink, TabLinks } from './tab-links.tsx'

interface SectionProps {
  title: string
  links: TabLink[]
  children: React.ReactNode
}

/**
 * Pages that share a title with one row of tabs below it. Title and tabs stay while the pages change; a page's own
 * PageHeader adds its sentence and its buttons. A page that is no tab, such as a report, stands alone with a breadcrumb.
 */
export function Section({ title, links, children }: SectionProps) {
  const { pathname } = useLocation()
  const [description, setDescription] = useState<HTMLElement | null>(null)
  const [action, setAction] = useState<HTMLElement | null>(null)
  if (!links.some((link) => isTabPage(link, pathname)))
    return <SectionProvider value={{ title, places: null }}>{children}</SectionProvider>
  return (
    <SectionProvider value={{ title, places: { description, action } }}>
      <header className="mb-6">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-72">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            <p ref={setDescription} className="mt-1 min-h-5.5 max-w-prose text-base text-muted" />
          </div>
          <div ref={setAction} className="flex min-h-9 flex-wrap items-center gap-2 empty:hidden" />
        </div>
        <TabLinks label={title} links={links} className="mt-3" />
      </header>
      {children}
    </SectionProvider>
  )
}
