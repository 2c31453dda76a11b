import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { journeys } from '#contracts/journeys/journeys.ts'
import { api } from '#web/api.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'

const SHOWN = 5

/** The newest journeys that run, with where their contacts are. Nothing where none runs. */
export function ActiveJourneys() {
  const query = { state: 'active' as const, limit: SHOWN }
  const active = useQuery({
    queryKey: ['journeys', 'list', query],
    queryFn: () => api(journeys.list, { query }),
  })
  const { data } = active
  if (active.isError && !data)
    return (
      <Card title="Active journeys">
        <ErrorState title="The journeys could not be loaded" error={active.error} onRetry={() => active.refetch()} />
      </Card>
    )
  if (!data || data.items.length === 0) return null
  return (
    <Card
      title="Active journeys"
      flush
      action={
        <ButtonLink size="sm" to="/journeys">
          View all
        </ButtonLink>
      }
    >
      <ul className="divide-y border-t">
        {data.items.map(({ id, name, active: inProgress, sent }) => (
          <li key={id}>
            <Link
              to={`/journeys/${id}`}
              className="block px-5 py-3 transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <span className="block text-base font-medium text-ink wrap-anywhere">{name}</span>
              <span className="block text-sm text-muted tabular-nums">
                {formatNumber(inProgress)} in progress, {plural(sent, 'email')} sent
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
