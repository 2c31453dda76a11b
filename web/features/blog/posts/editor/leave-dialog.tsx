import { useBlocker } from 'react-router'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

/** Asks before a page with unsaved changes is left. */
export function LeaveDialog({ when }: { when: boolean }) {
  const blocker = useBlocker(when)
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave without saving?"
      description="Your changes are not saved. A copy is stored in this browser, and you can restore it when you come back."
      size="sm"
      footer={
        <>
          <Button onClick={() => blocker.proceed?.()}>Leave</Button>
          <Button kind="primary" onClick={() => blocker.reset?.()}>
            Stay
          </Button>
        </>
      }
    />
  )
}
