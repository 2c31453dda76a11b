import { useState } from 'react'
import { type Journey, journeys } from '#contracts/journeys/journeys.ts'
import { api, errorMessage } from '#web/api.ts'
import { MatchingCount, useSegments } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { describeActivation } from '../labels.ts'
import { useLatestJourney, useStoreJourney } from '../queries.ts'
import { useFlow } from './flow-context.ts'
import { listSteps } from './tree.ts'
import type { Editor } from './use-editor.ts'

/** Activate, pause or resume, each after it was said what happens. */
export function StateActions({ editor }: { editor: Editor }) {
  const { journey, show } = useFlow()
  const [asked, setAsked] = useState<'activate' | 'pause' | null>(null)
  const readLatest = useLatestJourney()
  async function askToActivate() {
    if (!(await editor.saving.flush()))
      return toast.error('Your last change could not be saved, so nothing was activated.')
    const errors = readLatest(journey).problems.filter(({ severity }) => severity === 'error')
    const [first] = errors
    if (!first) return setAsked('activate')
    toast.error(`${plural(errors.length, 'thing')} to fix first. ${first.message}`)
    if (first.field === 'steps') return
    show(
      first.stepId === null
        ? { kind: first.field.startsWith('goal') ? 'goal' : 'trigger' }
        : { kind: 'step', id: first.stepId },
    )
  }
  const close = () => setAsked(null)
  return (
    <>
      {journey.state === 'active' && (
        <Button size="sm" onClick={() => setAsked('pause')}>
          Pause
        </Button>
      )}
      {(journey.state === 'draft' || journey.state === 'paused') && (
        <Button size="sm" kind="primary" onClick={() => void askToActivate()}>
          {journey.state === 'draft' ? 'Activate' : 'Resume'}
        </Button>
      )}
      {asked === 'activate' && <ActivateDialog onClose={close} />}
      {asked === 'pause' && <PauseDialog journey={journey} onClose={close} />}
    </>
  )
}

/** Runs one call, and says why it was refused. */
function useStateChange(what: 'activate' | 'pause', done: string, onClose: () => void) {
  const { journey } = useFlow()
  const store = useStoreJourney()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  async function submit(event: React.FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      store(await api(journeys[what], { params: { id: journey.id } }))
      toast.success(done)
      onClose()
    } catch (cause) {
      setError(errorMessage(cause))
      setBusy(false)
    }
  }
  return { busy, error, onSubmit: (event: React.FormEvent) => void submit(event) }
}

function ActivateDialog({ onClose }: { onClose: () => void }) {
  const { journey, names } = useFlow()
  const isPaused = journey.state === 'paused'
  const change = useStateChange('activate', isPaused ? 'Journey resumed' : 'Journey activated', onClose)
  const { trigger } = journey.definition
  const emails = listSteps(journey.definition.steps).filter(({ kind }) => kind === 'email').length
  const warnings = journey.problems.filter(({ severity }) => severity === 'warning')
  return (
    <FormDialog
      title={isPaused ? `Resume ${journey.name}?` : `Activate ${journey.name}?`}
      action={isPaused ? 'Resume journey' : 'Activate journey'}
      onClose={onClose}
      {...change}
    >
      <ul className="list-disc space-y-1.5 pl-5 text-text">
        {describeActivation(journey, names).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {trigger.kind === 'segment' && trigger.segmentId && <SegmentSize id={trigger.segmentId} />}
        <li>
          {emails === 0
            ? 'It sends no emails.'
            : `Each contact gets up to ${plural(emails, 'email')}, which ${emails === 1 ? 'counts' : 'count'} against your month like those of campaigns.`}
        </li>
        {warnings.map(({ message, stepId }) => (
          <li key={`${stepId} ${message}`} className="text-attention-text">
            {message}
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}

/** How many contacts are in the segment now: so many enter first. */
function SegmentSize({ id }: { id: string }) {
  const segment = useSegments().data?.items.find((one) => one.id === id)
  return segment ? (
    <li>
      <MatchingCount filter={segment.filter} />
    </li>
  ) : null
}

function PauseDialog({ journey, onClose }: { journey: Journey; onClose: () => void }) {
  const change = useStateChange('pause', 'Journey paused', onClose)
  return (
    <FormDialog title={`Pause ${journey.name}?`} size="sm" action="Pause journey" onClose={onClose} {...change}>
      <p className="text-text">
        No one enters or continues.{' '}
        {journey.active > 0 ? `${plural(journey.active, 'contact stays', 'contacts stay')} where they are. ` : ''}
        Queued emails are still sent. You can change the steps while it is paused.
      </p>
    </FormDialog>
  )
}
