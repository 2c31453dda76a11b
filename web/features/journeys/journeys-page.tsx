import { Plus } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { JourneyState, type JourneySummary } from '#contracts/journeys/journeys.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { JourneyDrawing } from '#web/ui/theme/drawings.tsx'
import { JourneyMenu } from './journey-menu.tsx'
import { useJourneys } from './queries.ts'
import { StarterGallery } from './starter-gallery.tsx'
import { JourneyBadge, journeyStates } from './states.tsx'

export const meta = () => [{ title: 'Journeys · Postlark' }]

export default function JourneysPage() {
  const [search] = useSearchParams()
  const state = JourneyState.safeParse(search.get('state')).data
  return (
    <>
      <PageHeader
        title="Journeys"
        description="Automated emails and actions that start with a trigger."
        action={
          <ButtonLink kind="primary" to="/journeys/new" icon={<Plus aria-hidden="true" className="size-4" />}>
            New journey
          </ButtonLink>
        }
      />
      <div className="mb-4">
        <FilterChips param="state" label="State" options={journeyStates} />
      </div>
      <JourneyTable key={state} state={state} />
    </>
  )
}

function JourneyTable({ state }: { state: JourneyState | undefined }) {
  const pages = useCursorPages()
  const query = useJourneys({ state, cursor: pages.cursor })
  const isFirstUse = state === undefined && query.data?.items.length === 0 && pages.page === 1
  return (
    <>
      <Card flush>
        <PagedTable
          label="Journeys"
          query={query}
          pages={pages}
          failure="The journeys could not be loaded"
          columns={columns}
          rowKey={(journey) => journey.id}
          href={({ id }) => `/journeys/${id}`}
          empty={
            state ? (
              <EmptyState
                drawing={<JourneyDrawing />}
                title={`No ${state} journeys`}
                action={<ButtonLink to="/journeys">Show all journeys</ButtonLink>}
              />
            ) : (
              <EmptyState drawing={<JourneyDrawing />} title="No journeys yet">
                A journey starts when a contact joins a list, gets a tag or does something. It sends, waits and branches
                for each contact separately. No one enters a journey twice.
              </EmptyState>
            )
          }
        />
      </Card>
      {isFirstUse && (
        <section aria-labelledby="begin-with" className="mt-6">
          <h2 id="begin-with" className="mb-3 text-md font-semibold">
            Start with one of these
          </h2>
          <StarterGallery />
        </section>
      )}
    </>
  )
}

const amount = (count: number) =>
  count === 0 ? <span className="text-muted">-</span> : <span>{formatNumber(count)}</span>

const columns: Column<JourneySummary>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => <span className="block wrap-anywhere md:max-w-72 md:truncate">{name}</span>,
  },
  { id: 'state', header: 'Status', cell: ({ state }) => <JourneyBadge state={state} /> },
  { id: 'entered', header: 'Entered', number: true, cell: ({ entered }) => amount(entered) },
  { id: 'active', header: 'In progress', number: true, cell: ({ active }) => amount(active) },
  { id: 'ended', header: 'Ended', number: true, cell: ({ ended }) => amount(ended) },
  { id: 'sent', header: 'Emails sent', number: true, cell: ({ sent }) => amount(sent) },
  {
    id: 'changed',
    header: 'Changed',
    number: true,
    wideOnly: true,
    cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />,
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    actions: true,
    cell: (journey) => <JourneyMenu journey={journey} />,
  },
]
