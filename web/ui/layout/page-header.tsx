import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { SectionAdditions, useSection } from './section-additions.tsx'

interface PageHeaderProps {
  title: React.ReactNode
  /** One sentence. */
  description?: React.ReactNode
  /** At most one primary button; quieter ones may stand beside it. */
  action?: React.ReactNode
  /** Where the page belongs: shown as a breadcrumb. */
  back?: { to: string; label: string }
  /** A state chip beside the title. */
  badge?: React.ReactNode
}

/** The head of a page: what it is, one sentence, one thing to do. On a tab of a section the title is the section's. */
export function PageHeader({ title, description, action, back, badge }: PageHeaderProps) {
  const section = useSection()
  if (section?.places)
    return (
      <SectionAdditions
        places={section.places}
        description={description}
        action={
          <>
            {badge}
            {action}
          </>
        }
      />
    )
  return (
    <header className="mb-6">
      {back && <Breadcrumb section={section?.title} back={back} />}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
            {badge}
          </div>
          {description && <p className="mt-1 max-w-prose text-base text-muted">{description}</p>}
        </div>
        {action && <div className="flex flex-wrap items-center gap-2">{action}</div>}
      </div>
    </header>
  )
}

/** The places above a page. The page itself is the title below, so that no sign follows the last of them. */
function Breadcrumb({ section, back }: { section: string | undefined; back: { to: string; label: string } }) {
  const isBelow = section !== undefined && section !== back.label
  return (
    <nav aria-label="Breadcrumb" className="mb-2 flex items-center gap-1 text-sm text-muted">
      {isBelow && (
        <>
          <span>{section}</span>
          <ChevronRight aria-hidden="true" className="size-3.5 shrink-0" />
        </>
      )}
      <Link to={back.to} className="inline-flex min-w-0 items-center gap-1 rounded-control hover:text-ink">
        {!isBelow && <ChevronLeft aria-hidden="true" className="size-3.5 shrink-0" />}
        <span className="min-w-0 wrap-anywhere">{back.label}</span>
      </Link>
    </nav>
  )
}
