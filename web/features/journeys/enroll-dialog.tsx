import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { type Journey, journeys } from '#contracts/journeys/journeys.ts'
import { api, errorMessage } from '#web/api.ts'
import {
  describeEnrollment,
  FilterFields,
  MatchingCount,
  useJobFollowing,
  useLists,
  useSegments,
} from '#web/features/contacts/index.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'

interface EnrollDialogProps {
  journey: Journey
  onClose: () => void
}

/** Lets contacts enter now: those of lists and segments, or all that a filter finds. */
export function EnrollDialog({ journey, onClose }: EnrollDialogProps) {
  const { follow } = useJobFollowing()
  const queries = useQueryClient()
  const [way, setWay] = useState<'chosen' | 'filter'>('chosen')
  const [chosen, setChosen] = useState<ContactFilter['items']>([])
  const [filter, setFilter] = useState<ContactFilter | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const wanted = way === 'filter' ? filter : chosen.length > 0 ? { op: 'or' as const, items: chosen } : null
  async function submit() {
    if (!wanted) return
    setBusy(true)
    setError(null)
    try {
      const { jobId } = await api(journeys.enrol, { params: { id: journey.id }, body: { filter: wanted } })
      onClose()
      const refresh = () => queries.invalidateQueries({ queryKey: ['journeys'] })
      await follow(jobId, describeEnrollment, refresh, 'Enrolling')
    } catch (cause) {
      setError(errorMessage(cause))
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title="Enroll contacts"
      description="They enter now, whatever the trigger. Contacts who entered before or do not match the entry filter are skipped."
      action="Enroll contacts"
      busy={busy}
      disabled={!wanted || wanted.items.length === 0}
      error={error}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onClose={onClose}
    >
      <RadioGroup
        legend="Which contacts"
        quietLegend
        value={way}
        onChange={setWay}
        options={[
          { value: 'chosen', label: 'From lists and segments' },
          { value: 'filter', label: 'That match a filter' },
        ]}
      />
      {way === 'chosen' ? (
        <>
          <Groups chosen={chosen} onChange={setChosen} />
          {wanted && <MatchingCount filter={wanted} />}
        </>
      ) : (
        <FilterFields filter={filter} onChange={setFilter} />
      )}
    </FormDialog>
  )
}

interface GroupsProps {
  chosen: ContactFilter['items']
  onChange: (chosen: ContactFilter['items']) => void
}

/** Lists and segments to tick; each is a part of the filter. */
function Groups({ chosen, onChange }: GroupsProps) {
  const queries = [useLists(), useSegments()] as const
  const [lists, segments] = [queries[0].data?.items, queries[1].data?.items]
  const failed = queries.find(({ data, isError }) => isError && !data)
  if (failed)
    return (
      <ErrorState
        title="Lists and segments could not be loaded"
        error={failed.error}
        onRetry={() => Promise.all(queries.map(({ refetch }) => refetch()))}
      />
    )
  if (!lists || !segments) return <SkeletonRows rows={3} />
  const rows = [
    ...lists.map(({ id, name, contacts }) => ({
      key: `list ${id}`,
      name,
      note: plural(contacts, 'contact'),
      item: { field: 'list', is: 'equal', value: id } as ContactFilter['items'][number],
    })),
    ...segments
      .filter(({ filter }) => filter.items.length > 0)
      .map(({ id, name, filter }) => ({ key: `segment ${id}`, name, note: 'segment', item: filter })),
  ]
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  if (rows.length === 0) return <p className="text-base text-muted">There are no lists and segments yet.</p>
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Lists and segments</legend>
      <div className="max-h-72 divide-y overflow-y-auto rounded-card border">
        {rows.map(({ key, name, note, item }) => (
          <Checkbox
            key={key}
            className="px-4 py-2.5"
            label={
              <span className="wrap-anywhere">
                {name} <span className="text-muted tabular-nums">· {note}</span>
              </span>
            }
            checked={chosen.some((one) => isSame(one, item))}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, item] : chosen.filter((one) => !isSame(one, item)))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
