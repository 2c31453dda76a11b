import { cx } from '../lib/class-names.ts'

interface EmptyStateProps {
  /** A small image of what will be here; see drawings.tsx. */
  drawing?: React.ReactNode
  title: React.ReactNode
  /** One sentence. */
  children?: React.ReactNode
  /** One button. */
  action?: React.ReactNode
  className?: string
}

/** What a list shows while there is nothing in it: an image of what will be here, one sentence, one button. */
export function EmptyState({ drawing, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cx('flex flex-col items-center px-6 py-12 text-center', className)}>
      {drawing && <div className="mb-5">{drawing}</div>}
      <h2 className="text-md font-semibold">{title}</h2>
      {children && <p className="mt-1.5 max-w-md text-base text-pretty text-muted">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}
