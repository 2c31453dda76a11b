import { useEffect, useState } from 'react'
import { type Location, useBlocker } from 'react-router'
import { Button } from '../form/button.tsx'
import type { useAutosave } from '../lib/use-autosave.ts'
import { Dialog } from './dialog.tsx'

/** Milliseconds that saving may take before the dialog says so. */
const PATIENCE_MS = 600

interface LeaveDialogProps {
  /** Whether something would be lost at this moment. */
  isUnsaved: () => boolean
  /** Saves it, where it can be saved; resolves to whether it is. Where it is, nobody is asked. `stays` aborts where the user stays. */
  save?: (stays: AbortSignal) => Promise<boolean>
  /** Forgets what is not saved, because it is left. */
  onLeave?: () => void
  /** Whether another address shows the same: by default every address with the same path. */
  stays?: (next: Location, current: Location) => boolean
  /** What is not saved, and what becomes of it. */
  children: React.ReactNode
}

const isSamePath = (next: Location, current: Location) => next.pathname === current.pathname

/** Asks before a page with unsaved changes is left. A page has one of these: React Router takes no second one. */
export function LeaveDialog({ isUnsaved, save, onLeave, stays = isSamePath, children }: LeaveDialogProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => !stays(nextLocation, currentLocation) && isUnsaved(),
  )
  const [shown, setShown] = useState<'saving' | 'unsaved'>()
  useEffect(() => {
    if (blocker.state !== 'blocked') return setShown(undefined)
    if (!save) return setShown('unsaved')
    const over = new AbortController()
    const late = setTimeout(() => setShown('saving'), PATIENCE_MS)
    void save(over.signal).then((isSaved) => {
      if (over.signal.aborted) return
      clearTimeout(late)
      if (isSaved) blocker.proceed()
      else setShown('unsaved')
    })
    return () => {
      over.abort()
      clearTimeout(late)
    }
  }, [blocker, save])
  return (
    <Dialog
      open={blocker.state === 'blocked' && shown !== undefined}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={shown === 'saving' ? 'Saving your changes' : 'Leave without saving?'}
      description={shown === 'saving' ? 'The page closes as soon as they are saved.' : children}
      size="sm"
      footer={
        <>
          <Button
            onClick={() => {
              onLeave?.()
              blocker.proceed?.()
            }}
          >
            Leave
          </Button>
          <Button kind="primary" onClick={() => blocker.reset?.()}>
            Stay
          </Button>
        </>
      }
    />
  )
}

interface AutosaveLeaveDialogProps extends Pick<LeaveDialogProps, 'stays'> {
  saving: Pick<ReturnType<typeof useAutosave>, 'isSaved' | 'discard'> & { flush: NonNullable<LeaveDialogProps['save']> }
}

/** The same for what is saved as it is written: leaving saves it, and asks only where that fails. */
export function AutosaveLeaveDialog({ saving: { isSaved, flush, discard }, ...rest }: AutosaveLeaveDialogProps) {
  return (
    <LeaveDialog {...rest} isUnsaved={() => !isSaved()} save={flush} onLeave={discard}>
      Your latest changes are not saved. If you leave, they are lost.
    </LeaveDialog>
  )
}
