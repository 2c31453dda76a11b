import { Link } from 'react-router'
import type { Activity } from '#contracts/dashboard/dashboard.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'

/** The campaign that starts next automatically. */
export function NextCampaign({ next }: { next: Activity['next'] | undefined }) {
  return (
    <Card title="Next scheduled">
      {next === undefined ? (
        <Skeleton className="h-10" />
      ) : next === null ? (
        <p className="text-base text-muted">Nothing scheduled. You can schedule a campaign when you review it.</p>
      ) : (
        <p className="min-w-0 text-base">
          <Link
            to={campaignLink({ ...next, state: 'scheduled' })}
            className="rounded-[3px] font-medium break-words text-accent-text hover:underline"
          >
            {next.name}
          </Link>
          <span className="block text-muted tabular-nums">starts {formatMoment(next.at)}</span>
        </p>
      )}
    </Card>
  )
}
