import { LeaveDialog } from '#web/ui/overlay/leave-dialog.tsx'
import type { Writing } from './use-writing.ts'

/** Asks before a post with unsaved changes is left. */
export function LeavePost({ writing: { dirty, phase } }: { writing: Writing }) {
  return (
    <LeaveDialog isUnsaved={() => dirty && phase === 'writing'}>
      Your changes are not saved. A copy is stored in this browser, and you can restore it when you come back.
    </LeaveDialog>
  )
}
