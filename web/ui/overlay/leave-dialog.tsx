import { useEffect, useState } from 'react'
import { type Location, useBlocker } from 'react-router'
import { Button } from '../form/button.tsx'
import type { useAutosave } from '../lib/use-autosave.ts'
import { Dialog } from './dialog.tsx'

/** Milliseconds that saving may take before the dialog says that it is still under way. */
const PATIENCE_MS = 600

interface LeaveDialogProps {
  /** Whether something would be lost at this moment. */
  isUnsaved: () => boolean
  /** Saves it, where it can be saved; resolves to whether it is. Where it is, nobody is asked. */
  save?: () => Promise<boolean>
  /** Forgets what is not saved, because it is left. */
  onLeave?: () => void
  /** Whether another address shows the same: by default one that differs behind its path alone. */
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
  const [asks, setAsks] = useState(false)
  useEffect(() => {
    if (blocker.state !== 'blocked') return setAsks(false)
    if (!save) return setAsks(true)
    let isOver = false
    const ask = () => setAsks(true)
    const late = setTimeout(ask, PATIENCE_MS)
    void save().then((isSaved) => {
      if (isOver) return
      if (isSaved) blocker.proceed()
      else ask()
    })
    return () => {
      isOver = true
      clearTimeout(late)
    }
  }, [blocker, save])
  return (
    <Dialog
      open={blocker.state === 'blocked' && asks}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      description={children}
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
  saving: Pick<ReturnType<typeof useAutosave>, 'isSaved' | 'flush' | 'discard'>
}

/** The same for what is saved as it is written: leaving saves it, and asks only where that fails. */
export function AutosaveLeaveDialog({ saving: { isSaved, flush, discard }, ...rest }: AutosaveLeaveDialogProps) {
  return (
    <LeaveDialog {...rest} isUnsaved={() => !isSaved()} save={flush} onLeave={discard}>
      Your latest changes are not saved. If you leave, they are lost.
    </LeaveDialog>
  )
}
