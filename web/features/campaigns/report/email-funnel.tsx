import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import type { EmailFacts } from './email-figures.tsx'
import { countReached } from './labels.ts'
import type { PeopleLink } from './people/people-links.ts'
import { FunnelCard } from './report-frame.tsx'

/** How far recipients came, as far as it was tracked. */
export function EmailFunnel({
  facts: { counts, trackOpens, trackClicks },
  stats,
  people,
}: {
  facts: EmailFacts
  stats: CampaignStats
  people: PeopleLink
}) {
  const { reached, label } = countReached(stats)
  const unknown = [
    !trackOpens && 'Opens are unknown because open tracking was off.',
    !trackClicks && 'Clicks are unknown because click tracking was off.',
  ].filter(Boolean)
  return (
    <FunnelCard
      recipients={counts.recipients}
      steps={[
        { label: 'Recipients', value: counts.recipients, to: people && '?#recipients' },
        { label, value: reached, to: people?.({ state: 'sent' }) },
        ...(trackOpens ? [{ label: 'Opened', value: stats.opens.unique, to: people?.({ event: 'opened' }) }] : []),
        ...(trackClicks ? [{ label: 'Clicked', value: stats.clicks.unique, to: people?.({ event: 'clicked' }) }] : []),
      ]}
    >
      {unknown.map((line) => (
        <p key={String(line)} className="mt-2 px-2.5 text-sm text-muted">
          {line}
        </p>
      ))}
    </FunnelCard>
  )
}
