import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import type { ContactFilter } from '#contracts/contacts/filter.ts'
import type { Input } from '#contracts/endpoint.ts'
import { api, errorMessage } from '#web/api.ts'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'

/** The contacts an action is for: those selected, or all that the filters find. */
export type BulkChoice = { ids: string[] } | { filter: ContactFilter }
type BulkChange = Omit<Input<typeof contactsBulk.start>['body'], 'ids' | 'filter'>

const POLL_INTERVAL_MS = 400
/** A change that takes longer says how far it is. */
const QUIET_MS = 1_200
/** How long the notice of a change offers to undo it. */
const UNDO_MS = 15_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until a change has ended; `onProgress` hears how far it is. */
async function untilEnded(id: string, onProgress: (text: string) => void) {
  const started = Date.now()
  for (;;) {
    const job = await api(jobs.get, { params: { id } })
    if (job.state === 'done' || job.state === 'failed') return job
    if (Date.now() - started > QUIET_MS) {
      const of = job.total === null ? '' : ` of ${formatNumber(job.total)}`
      onProgress(`Changing contacts: ${formatNumber(job.processed)}${of}`)
    }
    await pause(POLL_INTERVAL_MS)
  }
}

/**
 * Changes many contacts and says what came of it, with a button that undoes it where that is possible. `toText` gets how many were
 * changed. Rejects where the change was refused; one that failed on its way is a notice.
 */
export function useBulkChange() {
  const queries = useQueryClient()
  const toastId = useRef<string | number | undefined>(undefined)
  const follow = async (jobId: string, toText: (changed: number) => string): Promise<void> => {
    const undo = async () => {
      const { jobId: undoing } = await api(jobs.undo, { params: { id: jobId } })
      await follow(undoing, (changed) => `Undone for ${plural(changed, 'contact')}`)
    }
    try {
      const job = await untilEnded(jobId, (text) => {
        toastId.current = toast.loading(text, { ...(toastId.current !== undefined && { id: toastId.current }) })
      })
      if (toastId.current !== undefined) toast.dismiss(toastId.current)
      toastId.current = undefined
      await Promise.all(
        ['contacts', 'lists', 'tags', 'suppressions'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
      )
      const undoSoon = () => void undo().catch((error: unknown) => toast.error(errorMessage(error)))
      const options = job.canUndo ? { duration: UNDO_MS, action: { label: 'Undo', onClick: undoSoon } } : {}
      if (job.state === 'done') toast.success(toText(job.changed), options)
      else
        toast.error(
          `The change stopped after ${formatNumber(job.processed)} contacts. Try again for the others.`,
          options,
        )
    } catch (error) {
      toast.error(errorMessage(error))
    }
  }
  return async (choice: BulkChoice, change: BulkChange, toText: (changed: number) => string): Promise<void> => {
    const { jobId } = await api(contactsBulk.start, { body: { ...choice, ...change } })
    await follow(jobId, toText)
  }
}

/** Downloads contacts as CSV. */
export async function exportChoice(choice: BulkChoice): Promise<void> {
  try {
    await saveFile(await api(contactsBulk.export, { body: choice }), 'contacts.csv')
  } catch (error) {
    toast.error(`The export failed. ${errorMessage(error)}`)
  }
}
