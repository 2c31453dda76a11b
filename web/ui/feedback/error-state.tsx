import { CircleAlert } from 'lucide-react'
import { Button } from '../form/button.tsx'
import { CopyButton } from '../form/copy-button.tsx'
import { cx } from '../lib/class-names.ts'

interface ErrorStateProps {
  /** What could not be done: "The contacts could not be loaded". */
  title: string
  error: unknown
  /** What was saved: "Nothing was changed." */
  saved?: string
  onRetry?: () => void
  className?: string
}

/** A part of the page that failed: what, what was saved, Try again, and details to copy. */
export function ErrorState({ title, error, saved = 'Nothing was changed.', onRetry, className }: ErrorStateProps) {
  const message = error instanceof Error ? error.message : String(error)
  const details = [title, message, error instanceof Error ? error.name : '', location.href, new Date().toISOString()]
    .filter(Boolean)
    .join('\n')
  return (
    <div role="alert" className={cx('flex flex-col items-center px-6 py-12 text-center', className)}>
      <CircleAlert aria-hidden="true" className="mb-3 size-7 text-harm" />
      <h2 className="text-md font-semibold">{title}</h2>
      <p className="mt-1.5 max-w-md text-base text-text">{message}</p>
      <p className="mt-0.5 max-w-md text-base text-muted">{saved}</p>
      <div className="mt-5 flex gap-2">
        {onRetry && (
          <Button kind="primary" onClick={onRetry}>
            Try again
          </Button>
        )}
        <CopyButton text={details}>Copy details</CopyButton>
      </div>
    </div>
  )
}
