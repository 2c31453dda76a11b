import { UserPlus } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { type Journey, type JourneyPerson, PersonState } from '#contracts/journeys/journeys.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { FilterMenu } from '#web/ui/form/filter-menu.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment, plural } from '#web/ui/lib/format.ts'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'
import { findStep, listSteps } from './editor/tree.ts'
import { nameStep, personStates } from './labels.ts'
import type { Names } from './names.ts'
import { usePeople } from './queries.ts'
import { PersonBadge } from './states.tsx'

interface PeopleProps {
  journey: Journey
  names: Names
  onEnroll: (() => void) | undefined
}

/** The contacts of a journey, where each is and what comes next; filtered by step and state. */
export function People({ journey, names, onEnroll }: PeopleProps) {
  const [search] = useSearchParams()
  const step = search.get('step') ?? ''
  const state = PersonState.safeParse(search.get('state')).data
  const steps = listSteps(journey.definition.steps)
  return (
    <div className="mx-auto max-w-300">
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <FilterMenu
          param="step"
          label="Step"
          options={steps.map((one) => ({ value: one.id, label: nameStep(one, names) }))}
        />
        <FilterMenu param="state" label="State" options={personStates} />
      </div>
      <Card flush>
        <PeopleTable key={`${step} ${state}`} {...{ journey, names, onEnroll, step, state }} />
      </Card>
    </div>
  )
}

interface PeopleTableProps extends PeopleProps {
  step: string
  state: JourneyPerson['state'] | undefined
}

function PeopleTable({ journey, names, onEnroll, step, state }: PeopleTableProps) {
  const pages = useCursorPages()
  const query = usePeople(
    journey.id,
    { cursor: pages.cursor, ...(step && { step }), ...(state && { state }) },
    journey.state === 'active',
  )
  const enroll = onEnroll && (
    <Button kind="primary" icon={<UserPlus aria-hidden="true" className="size-4" />} onClick={onEnroll}>
      Enroll contacts
    </Button>
  )
  return (
    <PagedTable
      label="Contacts of the journey"
      query={query}
      pages={pages}
      failure="The contacts could not be loaded"
      count={(total) => plural(total, 'contact')}
      columns={buildColumns(journey, names)}
      rowKey={({ contactId }) => contactId}
      href={({ contactId }) => `/contacts/${contactId}`}
      empty={
        step || state ? (
          <EmptyState
            drawing={<PeopleDrawing />}
            title="No contacts match"
            action={<ButtonLink to={`/journeys/${journey.id}?view=contacts`}>Show all contacts</ButtonLink>}
          />
        ) : (
          <EmptyState drawing={<PeopleDrawing />} title="No one has entered yet" action={enroll}>
            {journey.state === 'draft'
              ? 'Contacts enter once the journey is active.'
              : 'Contacts show here as they enter, with where they are and what comes next.'}
          </EmptyState>
        )
      }
    />
  )
}

function buildColumns({ definition }: Journey, names: Names): Column<JourneyPerson>[] {
  const label = (stepId: string | null) => {
    const step = stepId === null ? undefined : findStep(definition.steps, stepId)
    return step ? nameStep(step, names) : stepId === null ? '-' : 'A step that was deleted'
  }
  return [
    {
      id: 'contact',
      header: 'Contact',
      cell: ({ email, name }) => (
        <span className="block wrap-anywhere md:max-w-72 md:truncate">{email || name || 'Contact'}</span>
      ),
    },
    {
      id: 'name',
      header: 'Name',
      wideOnly: true,
      cell: ({ name }) => <span className="block max-w-48 truncate">{name}</span>,
    },
    { id: 'state', header: 'State', cell: ({ state }) => <PersonBadge state={state} /> },
    {
      id: 'step',
      header: 'Step',
      cell: ({ stepId }) => <span className="line-clamp-2 wrap-anywhere">{label(stepId)}</span>,
    },
    {
      id: 'due',
      header: 'Continues',
      number: true,
      cell: ({ dueAt }) => (dueAt ? formatMoment(dueAt) : <span className="text-muted">-</span>),
    },
    { id: 'entered', header: 'Entered', number: true, cell: ({ enteredAt }) => <TimeAgo at={enteredAt} /> },
    {
      id: 'ended',
      header: 'Ended',
      number: true,
      wideOnly: true,
      cell: ({ endedAt }) => (endedAt ? <TimeAgo at={endedAt} /> : <span className="text-muted">-</span>),
    },
  ]
}
