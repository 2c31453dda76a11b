import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import type { EmailFacts } from './email-figures.tsx'
import { countReached, whyUnknown } from './labels.ts'
import type { PeopleLink } from './people/people-links.ts'
import { FunnelCard } from './report-frame.tsx'

/** How far recipients came, as far as it was tracked. */
export function EmailFunnel({ facts, stats, people }: { facts: EmailFacts; stats: CampaignStats; people: PeopleLink }) {
  const { counts } = facts
  const { reached, label } = countReached(counts, stats)
  const [noOpeners, noClickers] = [whyUnknown(facts, 'opened'), whyUnknown(facts, 'clicked')]
  const unknown = [
    noOpeners && `Who opened is unknown ${noOpeners}.`,
    noClickers && `Who clicked is unknown ${noClickers}.`,
  ].filter(Boolean)
  return (
    <FunnelCard
      recipients={counts.recipients}
      steps={[
        { label: 'Recipients', value: counts.recipients, to: people && '?#recipients' },
        { label, value: reached, to: people?.({ state: 'sent' }) },
        ...(!noOpeners ? [{ label: 'Opened', value: stats.opens.unique ?? 0, to: people?.({ event: 'opened' }) }] : []),
        ...(!noClickers
          ? [{ label: 'Clicked', value: stats.clicks.unique ?? 0, to: people?.({ event: 'clicked' }) }]
          : []),
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
