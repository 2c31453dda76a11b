import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { journeys } from '#contracts/journeys/journeys.ts'
import { api, errorMessage } from '#web/api.ts'
import { readAll } from '#web/query.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { describeEnrollment } from './labels.ts'
import { type BulkChoice, useJobFollowing } from './queries.ts'

interface EnrollSelectionProps {
  choice: BulkChoice
  /** "12 contacts" */
  whose: string
  /** Runs once the job has begun. */
  onStarted: () => void
  onClose: () => void
}

/** Lets the selected contacts enter an active journey, by a job like every other change of many contacts. */
export function EnrollSelection({ choice, whose, onStarted, onClose }: EnrollSelectionProps) {
  const { follow } = useJobFollowing()
  const queries = useQueryClient()
  const active = useQuery({
    queryKey: ['journeys', 'list', 'active, all'],
    queryFn: () => readAll((page) => api(journeys.list, { query: { ...page, state: 'active' } })),
  })
  const [chosen, setChosen] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const items = active.data?.items
  const id = chosen || items?.[0]?.id
  async function submit() {
    if (!id) return
    setBusy(true)
    setError(null)
    try {
      const whom = 'ids' in choice ? { contactIds: choice.ids } : { filter: choice.filter }
      const { jobId } = await api(journeys.enrol, { params: { id }, body: whom })
      onStarted()
      await follow(jobId, describeEnrollment, () => queries.invalidateQueries({ queryKey: ['journeys'] }), 'Enrolling')
    } catch (cause) {
      setError(errorMessage(cause))
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={`Enroll ${whose} in a journey`}
      description="They enter now, whatever the trigger. Contacts who entered before or do not match the entry filter are skipped."
      size="sm"
      action={`Enroll ${whose}`}
      busy={busy}
      disabled={!id}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      {active.isError && !items ? (
        <ErrorState title="The journeys could not be loaded" error={active.error} onRetry={() => active.refetch()} />
      ) : !items ? (
        <SkeletonRows rows={1} />
      ) : items.length === 0 ? (
        <div className="space-y-3">
          <p className="text-base text-muted">There is no active journey. Contacts can enter once one is activated.</p>
          <ButtonLink to="/journeys">Open journeys</ButtonLink>
        </div>
      ) : (
        <Field label="Journey">
          <Select value={id} onChange={(event) => setChosen(event.target.value)}>
            {items.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </FormDialog>
  )
}
