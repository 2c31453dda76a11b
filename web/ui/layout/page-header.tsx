import { ChevronLeft } from 'lucide-react'
import { Link } from 'react-router'

interface PageHeaderProps {
  title: React.ReactNode
  /** One sentence. */
  description?: React.ReactNode
  /** At most one primary button; quieter ones may stand beside it. */
  action?: React.ReactNode
  /** Where the page belongs. */
  back?: { to: string; label: string }
  /** A state chip beside the title. */
  badge?: React.ReactNode
}

/** The head of a page: what it is, one sentence, one thing to do. */
export function PageHeader({ title, description, action, back, badge }: PageHeaderProps) {
  return (
    <header className="mb-6">
      {back && (
        <Link
          to={back.to}
          className="mb-2 -ml-1 inline-flex items-center gap-0.5 rounded-control text-sm text-muted hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
            {badge}
          </div>
          {description && <p className="mt-1 max-w-prose text-base text-muted">{description}</p>}
        </div>
        {action && <div className="flex flex-wrap items-center gap-2">{action}</div>}
      </div>
    </header>
  )
}
