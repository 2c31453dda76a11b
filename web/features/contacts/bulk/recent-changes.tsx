import { useState } from 'react'
import { BULK_UNDO_HOURS, type ContactJob } from '#contracts/contacts/bulk.ts'
import { errorMessage } from '#web/api.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { SidePanel } from '#web/ui/overlay/side-panel.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { describeChange, describeObstacle, labelState } from './labels.ts'
import { useBulkUndo, useRecentChanges } from './queries.ts'

/** The changes of selected contacts of the last day, each with a button that undoes it or with why it cannot be undone. */
export function RecentChanges({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useRecentChanges()
  return (
    <SidePanel
      open
      onOpenChange={(open) => !open && onClose()}
      title="Recent changes"
      description={`Changes of selected contacts in the last ${BULK_UNDO_HOURS} hours. What contacts did themselves since is never undone.`}
    >
      {error && !data && (
        <ErrorState title="The changes could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton className="h-16" />}
      {data?.items.length === 0 && <p className="text-muted">No changes in the last {BULK_UNDO_HOURS} hours.</p>}
      {data && data.items.length > 0 && (
        <ul className="-my-3 divide-y divide-line">
          {data.items.map((job) => (
            <Change key={job.id} job={job} />
          ))}
        </ul>
      )}
      {data?.nextCursor && (
        <p className="mt-4 text-sm text-muted">The newest {formatNumber(data.items.length)} changes are shown.</p>
      )}
    </SidePanel>
  )
}

function Change({ job }: { job: ContactJob }) {
  const undo = useBulkUndo()
  const [busy, setBusy] = useState(false)
  const { label, ...look } = labelState(job)
  const what = describeChange(job)
  async function start() {
    setBusy(true)
    try {
      await undo(job.id)
    } catch (error) {
      toast.error(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink wrap-anywhere">{what}</p>
        <p className="text-sm text-muted wrap-anywhere">
          <TimeAgo at={job.createdAt} /> by {job.requestedBy}
        </p>
        {job.obstacle && <p className="mt-1 text-sm">{describeObstacle(job.obstacle, job)}</p>}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-2">
        <Badge {...look}>{label}</Badge>
        {job.canUndo && (
          <Button size="sm" busy={busy} aria-label={`Undo: ${what}`} onClick={() => void start()}>
            Undo
          </Button>
        )}
      </div>
    </li>
  )
}
