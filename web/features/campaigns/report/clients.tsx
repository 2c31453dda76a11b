import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { BarList } from '#web/ui/display/chart/bar-list.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import type { PeopleLink } from './people/people-links.ts'

/** The email clients an email was opened in, by opens. */
export function ClientsCard({
  stats,
  unknown,
  people,
}: {
  stats: CampaignStats
  /** Why nobody can know. */
  unknown: string | undefined
  people: PeopleLink
}) {
  return (
    <Card title="Email clients" description="Opens by the app they were made in, where known.">
      {unknown ? (
        <p className="text-base text-muted">Unknown {unknown}.</p>
      ) : stats.clients.length === 0 ? (
        <p className="text-base text-muted">No opens yet.</p>
      ) : (
        <BarList
          label="Opens by email client"
          items={stats.clients.map(({ name, opens }) => ({
            label: name === 'unknown' ? 'Unknown' : name,
            value: opens,
            ...(people && { to: people({ event: 'opened', client: name }) }),
          }))}
        />
      )}
    </Card>
  )
}
