import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { lists as listContract } from '#contracts/contacts/lists.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { api, errorMessage } from '#web/api.ts'
import { isNewList, ListChoice, type ListTarget, listTargetError, useLists } from '#web/features/contacts/index.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import type { Wording } from '../kinds.ts'
import type { ResultQuery } from '../queries.ts'
import { type BasisChoice, BasisQuestion } from './lawful-basis.tsx'

interface ToListDialogProps {
  job: CrawlJob
  wording: Wording
  which: { ids: string[] } | { filter: Omit<ResultQuery, 'sort' | 'order'> }
  /** How many that is, where it is known. */
  count: number | undefined
  onDone: () => void
  onClose: () => void
}

type ToListResult = ResponseBody<typeof collector.toList> & { listId: string }

/** Makes contacts of findings: which list, why they may be written to, and what came of it. */
export function ToListDialog({ job, wording, which, count, onDone, onClose }: ToListDialogProps) {
  const [result, setResult] = useState<ToListResult | null>(null)
  if (result) return <Added result={result} wording={wording} onClose={onClose} />
  return (
    <AddForm
      job={job}
      wording={wording}
      which={which}
      count={count}
      onClose={onClose}
      onAdded={(next) => {
        setResult(next)
        onDone()
      }}
    />
  )
}

function AddForm({
  job,
  wording,
  which,
  count,
  onAdded,
  onClose,
}: Omit<ToListDialogProps, 'onDone'> & { onAdded: (result: ToListResult) => void }) {
  const queries = useQueryClient()
  const lists = useLists()
  const thereAreLists = (lists.data?.items.length ?? 0) > 0
  const [target, setTarget] = useState<ListTarget>({ listId: '', newName: job.name.slice(0, 120), optin: 'single' })
  const [choice, setChoice] = useState<BasisChoice>({ basis: undefined, note: '' })
  const [asked, setAsked] = useState(false)
  const listError = listTargetError(target, thereAreLists)
  const basisError = choice.basis ? undefined : 'Choose one. You can choose “I don’t know yet”.'
  const what = count === undefined ? `all matching ${wording.many}` : plural(count, wording.one, wording.many)

  const add = useMutation({
    mutationFn: async () => {
      let listId = target.listId
      if (isNewList(target, thereAreLists)) {
        const made = await api(listContract.create, { body: { name: target.newName.trim(), optin: target.optin } })
        listId = made.id
        // Should adding fail, trying again uses the list that is there now.
        setTarget({ ...target, listId })
        await queries.invalidateQueries({ queryKey: ['lists'] })
      }
      const why =
        choice.basis && choice.basis !== 'unknown'
          ? { basis: choice.basis, ...(choice.note.trim() && { basisNote: choice.note.trim().replace(/\s+/g, ' ') }) }
          : {}
      const done = await api(collector.toList, { params: { id: job.id }, body: { listId, ...which, ...why } })
      return { ...done, listId }
    },
    onSuccess: (done) => {
      for (const name of ['contacts', 'lists']) void queries.invalidateQueries({ queryKey: [name] })
      onAdded(done)
    },
  })

  function submit() {
    setAsked(true)
    if (!listError && !basisError) add.mutate()
  }

  return (
    <FormDialog
      size="lg"
      title={`Add ${what} to list`}
      description="They are added as contacts, each with the source page and the date."
      action={`Add ${what}`}
      busy={add.isPending}
      error={add.error && `${errorMessage(add.error)} No contacts were added.`}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="space-y-5">
        {wording.kind === 'phone' && (
          <Banner tone="attention" title="Public doesn’t mean opted in">
            WhatsApp only allows messages to people who gave your business recorded consent. These numbers are saved
            with their source, and WhatsApp campaigns skip them until you record consent.
          </Banner>
        )}
        <ListChoice target={target} onChange={setTarget} error={asked ? listError : undefined} />
        <BasisQuestion choice={choice} onChange={setChoice} error={asked ? basisError : undefined} />
      </div>
    </FormDialog>
  )
}

function Added({ result, wording, onClose }: { result: ToListResult; wording: Wording; onClose: () => void }) {
  const { added, known, suppressed, refused, listId } = result
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  const lines = [
    { count: known, text: `${were(known)} already on the list; the new source was recorded` },
    {
      count: suppressed,
      text: `${are(suppressed)} suppressed (unsubscribed, bounced, or added by you) and ${were(suppressed)} skipped`,
    },
    {
      count: refused,
      text: `could not be added: no valid ${wording.one}, or over your plan’s contact limit`,
    },
  ].filter((line) => line.count > 0)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        added > 0
          ? `${plural(added, wording.one, wording.many)} added to the list`
          : 'No new contacts added to the list'
      }
      footer={
        <>
          <Button onClick={onClose}>Back to the {wording.many}</Button>
          <ButtonLink kind="primary" to={`/contacts?list=${listId}`}>
            View list
          </ButtonLink>
        </>
      }
    >
      <div role="status" className="space-y-1.5 pb-1 text-text">
        {lines.map(({ count, text }) => (
          <p key={text}>
            <span className="font-medium text-ink tabular-nums">{formatNumber(count)}</span> {text}.
          </p>
        ))}
        {lines.length === 0 && <p>Each contact includes the page it was found on.</p>}
      </div>
    </Dialog>
  )
}
