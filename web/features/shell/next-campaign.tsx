import { Link } from 'react-router'
import type { Dashboard } from '#contracts/dashboard.ts'
import { Card } from '#web/ui/card.tsx'
import { formatMoment } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The campaign that begins next by itself. */
export function NextCampaign({ next }: { next: Dashboard['next'] | undefined }) {
  return (
    <Card title="Next scheduled">
      {next === undefined ? (
        <Skeleton className="h-10" />
      ) : next === null ? (
        <p className="text-base text-muted">
          Nothing is scheduled. A campaign can be sent at a time you choose: its last step asks when.
        </p>
      ) : (
        <p className="min-w-0 text-base">
          <Link
            to={`/mail-dash/${next.id}`}
            className="rounded-[3px] font-medium break-words text-accent-text hover:underline"
          >
            {next.name}
          </Link>
          <span className="block text-muted tabular-nums">begins {formatMoment(next.at)}</span>
        </p>
      )}
    </Card>
  )
}
