import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { journeyTrials } from '#contracts/journeys/trials.ts'
import { api, errorMessage } from '#web/api.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { ShowOnFlow, type TrialProps } from './show-on-flow.tsx'

const spans = ['7', '30', '90'] as const

/** Counts who would have entered in the last days; the cards show how many would have got to each. */
export function Replay({ journey, saving, onTrial }: TrialProps) {
  const [days, setDays] = useState<(typeof spans)[number]>('30')
  const run = useMutation({
    mutationFn: async () => {
      if (!(await saving.flush())) throw new Error('Your last change could not be saved, so nothing was counted.')
      return await api(journeyTrials.replay, { params: { id: journey.id }, body: { days: Number(days) } })
    },
    onSuccess: ({ entered, steps }) =>
      onTrial({
        kind: 'replay',
        title: `The last ${days} days, replayed`,
        replayed: entered,
        entered: new Map(steps.map(({ stepId, entered }) => [stepId, entered])),
      }),
    onError: () => onTrial(null),
  })
  const { data } = run
  return (
    <div className="space-y-4">
      <p className="text-base text-muted">
        Count the contacts who would have entered if this journey had been active. Branches use what is known about the
        contacts now, so the counts are estimates. Nothing is sent or changed.
      </p>
      <RadioGroup
        legend="Look back"
        value={days}
        onChange={setDays}
        options={spans.map((value) => ({ value, label: `${value} days` }))}
      />
      <Button busy={run.isPending} onClick={() => run.mutate()}>
        Count contacts
      </Button>
      <FormBanner error={run.isError ? errorMessage(run.error) : null} />
      {data && (
        <section aria-live="polite" aria-label="Result" className="border-t pt-4">
          <p className="text-md font-semibold text-ink">
            {data.entered === 0
              ? 'No one would have entered'
              : `About ${plural(data.entered, 'contact')} would have entered`}
          </p>
          <ShowOnFlow />
          {data.sample.length > 0 && (
            <>
              <p className="mt-0.5 text-sm text-muted">Latest contacts:</p>
              <ul className="mt-2 divide-y border-t">
                {data.sample.map(({ contactId, email, name, at }) => (
                  <li key={contactId} className="flex items-baseline justify-between gap-3 py-2">
                    <Link to={`/contacts/${contactId}`} className="min-w-0 truncate text-base text-ink hover:underline">
                      {email || name || 'Contact'}
                    </Link>
                    <span className="shrink-0 text-sm text-muted">
                      <TimeAgo at={at} />
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
      )}
    </div>
  )
}
