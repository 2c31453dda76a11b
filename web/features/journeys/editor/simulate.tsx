import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { journeyTrials } from '#contracts/journeys/trials.ts'
import { api, errorMessage } from '#web/api.ts'
import { useContacts } from '#web/features/contacts/index.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Ring } from '#web/ui/feedback/spinner.tsx'
import { SearchInput } from '#web/ui/form/input.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatMoment, plural } from '#web/ui/lib/format.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { ShowOnFlow, type TrialProps } from './show-on-flow.tsx'

const simulatedEnds = {
  done: 'They would reach the end of the journey.',
  goal: 'They would reach the goal and leave.',
  exited: 'They would leave at an exit.',
}

const obstacles = {
  entry_filter: 'This contact does not match the entry filter, so they would not enter.',
  already_entered: 'This contact has entered before, so they would not enter again.',
}

/** Follows the way one contact would take now; the flow shows it. Nothing is sent or changed. */
export function Simulate({ journey, saving, onTrial }: TrialProps) {
  const [text, setText] = useState('')
  const found = useContacts({ q: useDebounced(text.trim()) || undefined, limit: 8 })
  const run = useMutation({
    mutationFn: async ({ id }: { id: string; name: string }) => {
      if (!(await saving.flush())) throw new Error('Your last change could not be saved, so nothing was simulated.')
      return await api(journeyTrials.simulate, { params: { id: journey.id }, body: { contactId: id } })
    },
    onSuccess: ({ path }, { name }) =>
      onTrial({
        kind: 'simulate',
        title: `Path of ${name}`,
        path: new Map(path.map(({ stepId, at, outcome }) => [stepId, { at, outcome }])),
      }),
    onError: () => onTrial(null),
  })
  return (
    <div className="space-y-4">
      <p className="text-base text-muted">
        See the path a contact would take if they entered now. Nothing is sent or changed.
      </p>
      <FormBanner error={run.isError ? errorMessage(run.error) : null} />
      {run.data && <Result result={run.data} name={run.variables?.name ?? ''} />}
      <SearchInput
        label="Find a contact"
        placeholder="Email address or name"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {found.isError && <p className="text-sm text-harm-text">The contacts could not be loaded. Try again.</p>}
      <ul
        aria-label="Contacts found"
        className={cx('divide-y rounded-card border', found.isPlaceholderData && 'opacity-60')}
      >
        {found.data?.items.map(({ id, email, name, phone }) => {
          const label = email ?? phone ?? name
          return (
            <li key={id}>
              <button
                type="button"
                aria-pressed={run.variables?.id === id}
                disabled={run.isPending}
                onClick={() => run.mutate({ id, name: label })}
                className="flex w-full items-center gap-2 px-3.5 py-2 text-left hover:bg-hover aria-pressed:bg-accent-soft"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-base text-ink">{label}</span>
                  {name && name !== label && <span className="block truncate text-sm text-muted">{name}</span>}
                </span>
                {run.isPending && run.variables?.id === id && <Ring />}
              </button>
            </li>
          )
        })}
        {found.data?.items.length === 0 && (
          <li className="px-3.5 py-2.5 text-base text-muted">
            {text.trim() === '' ? 'There are no contacts yet.' : 'No contact matches.'}
          </li>
        )}
      </ul>
    </div>
  )
}

interface ResultProps {
  result: Awaited<ReturnType<typeof api<typeof journeyTrials.simulate>>>
  name: string
}

function Result({ result: { obstacle, path, end }, name }: ResultProps) {
  const last = path.at(-1)
  return (
    <Banner tone={obstacle ? 'attention' : 'info'} role="status" title={<span className="wrap-anywhere">{name}</span>}>
      {obstacle && <p>{obstacles[obstacle]} This is the path they would take otherwise.</p>}
      <p>
        {plural(path.length, 'step')}. {simulatedEnds[end]}
        {last && ` The last step would be at ${formatMoment(last.at)}.`}
      </p>
      <ShowOnFlow />
    </Banner>
  )
}
