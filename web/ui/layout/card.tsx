import { cx } from '../lib/class-names.ts'

interface CardProps {
  title?: React.ReactNode
  /** One sentence under the title. */
  description?: React.ReactNode
  /** A button or link at the right end of the title's line. */
  action?: React.ReactNode
  /** The content touches the border: for tables and lists. */
  flush?: boolean
  className?: string
  children?: React.ReactNode
}

/** A table begins and ends where the title does. */
const underTitle = 'max-md:[&_tr]:px-5 md:[&_:is(td,th):first-child]:pl-5 md:[&_:is(td,th):last-child]:pr-5'

/** A bordered part of a page with its own heading. */
export function Card({ title, description, action, flush, className, children }: CardProps) {
  return (
    <section className={cx('min-w-0 rounded-card border bg-surface', className)}>
      {(title || action) && (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-1">
          <div className="min-w-0">
            {title && <h2 className="text-base font-semibold">{title}</h2>}
            {description && <p className="text-sm text-muted">{description}</p>}
          </div>
          {action}
        </header>
      )}
      {children && <div className={flush ? cx('pt-2', title ? underTitle : '') : 'px-5 pt-3 pb-5'}>{children}</div>}
    </section>
  )
}
