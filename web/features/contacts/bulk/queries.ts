import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type ContactJob, contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import type { ContactFilter } from '#contracts/contacts/filter.ts'
import type { Input } from '#contracts/endpoint.ts'
import { api, errorMessage } from '#web/api.ts'
import type { ConsentRecording } from '#web/features/consents/index.ts'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { describeConsents } from './labels.ts'

/** The contacts an action is for: those selected, or all that the filters find. */
export type BulkChoice = { ids: string[] } | { filter: ContactFilter }
type BulkChange = Omit<Input<typeof contactsBulk.start>['body'], 'ids' | 'filter'>

const POLL_INTERVAL_MS = 400
/** A change that takes longer says how far it is. */
const QUIET_MS = 1_200
/** How long the notice of a change offers to undo it. */
const UNDO_MS = 15_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a notice says of a change that is done. */
type ToText = (job: ContactJob) => string
/** Leaves a screen before what it shows is asked for again. */
type OnDone = () => void | Promise<void>

const hasEnded = ({ state }: Pick<ContactJob, 'state'>) => state === 'done' || state === 'failed'

/** Waits until a change has ended; `onProgress` hears how far it is. `doing`: what is happening to the contacts. */
async function untilEnded(id: string, doing: string, onProgress: (text: string) => void) {
  const started = Date.now()
  for (;;) {
    const job = await api(jobs.get, { params: { id } })
    if (hasEnded(job)) return job
    if (Date.now() - started > QUIET_MS) {
      const of = job.total === null ? '' : ` of ${formatNumber(job.total)}`
      onProgress(`${doing} contacts: ${formatNumber(job.processed)}${of}`)
    }
    await pause(POLL_INTERVAL_MS)
  }
}

/** What a change of contacts may change on a screen. */
const CHANGED = ['contacts', 'lists', 'tags', 'suppressions', 'whatsapp', 'jobs']

/** Waits for a change and says what came of it, with a button that undoes it where that is possible. Never rejects. */
export function useJobFollowing() {
  const queries = useQueryClient()
  const toastId = useRef<string | number | undefined>(undefined)
  const follow = async (jobId: string, toText: ToText, onDone?: OnDone, doing = 'Changing'): Promise<void> => {
    try {
      const job = await untilEnded(jobId, doing, (text) => {
        toastId.current = toast.loading(text, { ...(toastId.current !== undefined && { id: toastId.current }) })
      })
      if (toastId.current !== undefined) toast.dismiss(toastId.current)
      toastId.current = undefined
      if (job.state === 'done') await onDone?.()
      await Promise.all(CHANGED.map((name) => queries.invalidateQueries({ queryKey: [name] })))
      const undoSoon = () => void undo(jobId).catch((error: unknown) => toast.error(errorMessage(error)))
      const options = job.canUndo ? { duration: UNDO_MS, action: { label: 'Undo', onClick: undoSoon } } : {}
      if (job.state === 'done' && job.changed === 0) toast(toText(job))
      else if (job.state === 'done') toast.success(toText(job), options)
      else
        toast.error(
          `The change stopped after ${formatNumber(job.processed)} contacts. Try again for the others.`,
          options,
        )
    } catch (error) {
      toast.error(errorMessage(error))
    }
  }
  /** Undoes a change. Rejects where that was refused. */
  const undo = async (id: string): Promise<void> => {
    const { jobId } = await api(jobs.undo, { params: { id } })
    await follow(jobId, ({ changed }) => `Undone for ${plural(changed, 'contact')}`)
  }
  return { follow, undo }
}

/** Changes contacts. Rejects where the change was refused; one that failed on its way is a notice. */
export function useBulkChange() {
  const { follow } = useJobFollowing()
  return async (choice: BulkChoice, change: BulkChange, toText: ToText, onDone?: OnDone): Promise<void> => {
    const { jobId } = await api(contactsBulk.start, { body: { ...choice, ...change } })
    await follow(jobId, toText, onDone)
  }
}

/** Records one proof of consent for contacts. */
export function useConsentRecording(): (choice: BulkChoice) => ConsentRecording {
  const change = useBulkChange()
  return (choice) => (value) => change(choice, { action: 'recordConsent', value }, describeConsents)
}

/** Undoes a change of many contacts. Rejects where that was refused. */
export function useBulkUndo() {
  return useJobFollowing().undo
}

/** The newest changes of many contacts of the last day; asked again every second while one runs. */
export function useRecentChanges() {
  return useQuery({
    queryKey: ['jobs'],
    queryFn: () => api(jobs.list, { query: { limit: 200 } }),
    refetchInterval: ({ state: { data } }) =>
      data?.items.every((job) => hasEnded(job.undone ?? job)) === false ? 1_000 : false,
  })
}

/** Downloads contacts as CSV. */
export async function exportChoice(choice: BulkChoice): Promise<void> {
  try {
    await saveFile(await api(contactsBulk.export, { body: choice }), 'contacts.csv')
  } catch (error) {
    toast.error(`The export failed. ${errorMessage(error)}`)
  }
}
