import { Check, CircleAlert, CircleDot } from 'lucide-react'
import type { SaveState as State } from '../lib/use-autosave.ts'
import { Ring } from './spinner.tsx'

/** Whether what was written is saved, in one word that stands still. */
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
          <span className="text-harm-text">Not saved. {reason} Your changes are still here.</span>
          <button
            type="button"
            onClick={onRetry}
            className="rounded-control font-medium text-accent-text hover:underline"
          >
            Try again
          </button>
        </>
      )}
    </span>
  )
}
