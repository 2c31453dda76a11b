import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { journeys } from '#contracts/journeys/journeys.ts'
import { api } from '#web/api.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'

const SHOWN = 5

/** The newest journeys that run, with where their contacts are. Nothing where none runs. */
export function ActiveJourneys() {
  const query = { state: 'active' as const, limit: SHOWN }
  const { data } = useQuery({
    queryKey: ['journeys', 'list', query],
    queryFn: () => api(journeys.list, { query }),
  })
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
        {data.items.map(({ id, name, active, sent }) => (
          <li key={id}>
            <Link
              to={`/journeys/${id}`}
              className="block px-5 py-3 transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <span className="block text-base font-medium text-ink wrap-anywhere">{name}</span>
              <span className="block text-sm text-muted tabular-nums">
                {formatNumber(active)} in progress, {plural(sent, 'email')} sent
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
