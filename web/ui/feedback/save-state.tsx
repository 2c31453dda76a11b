import { Check, CircleAlert, CircleDot } from 'lucide-react'
import { Button } from '../form/button.tsx'
import { cx } from '../lib/class-names.ts'
import type { SaveState as State } from '../lib/use-autosave.ts'
import { Banner } from './banner.tsx'
import { Ring } from './spinner.tsx'

interface SaveFailureProps {
  /** Of a save that failed. */
  reason: string
  onRetry: () => void
  className?: string
}

/** Why what was written is not saved, below a bar: on a narrow screen `SaveState` has no room for it. */
export function SaveFailure({ reason, onRetry, className }: SaveFailureProps) {
  return (
    <Banner
      tone="harm"
      role="alert"
      title="Not saved"
      className={cx('wide:hidden', className)}
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {reason} Your changes are still here.
    </Banner>
  )
}

/** Whether what was written is saved, in a word that stands still, and why not. On a narrow screen a `SaveFailure` says why. */
export function SaveState({
  state,
  reason,
  onRetry,
}: {
  state: State
  reason?: string | undefined
  onRetry: () => void
}) {
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-sm text-muted">
      {state === 'saved' && (
        <>
          <Check aria-hidden="true" className="size-4 text-good-text" /> Saved
        </>
      )}
      {state === 'unsaved' && (
        <>
          <CircleDot aria-hidden="true" className="size-4" /> Unsaved changes
        </>
      )}
      {state === 'saving' && (
        <>
          <Ring /> Saving
        </>
      )}
      {state === 'failed' && (
        <>
          <CircleAlert aria-hidden="true" className="size-4 text-harm-text" />
          <span className="text-harm-text">
            Not saved. <span className="max-wide:hidden">{reason} Your changes are still here.</span>
          </span>
          <button
            type="button"
            onClick={onRetry}
            className="rounded-control font-medium text-accent-text hover:underline max-wide:hidden"
          >
            Try again
          </button>
        </>
      )}
    </span>
  )
}
