import { Link } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import type { DeliveryRow } from './labels.ts'
import type { PeopleLink } from './people/people-links.ts'
import { RetryBanner } from './retry.tsx'

interface DeliveryCardProps {
  campaign: Campaign
  /** What the delivery came to, in a few words. */
  summary: string
  rows: DeliveryRow[]
  people: PeopleLink
  /** Open where something needs a look. */
  isOpen: boolean
}

/** What became of every message, folded: it is looked at when something is wrong. */
export function DeliveryCard({ campaign, summary, rows, people, isOpen }: DeliveryCardProps) {
  return (
    <details open={isOpen} className="group rounded-card border bg-surface">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 rounded-card px-5 py-4">
        <h2 className="text-base font-semibold">Delivery</h2>
        <span className="text-sm text-muted">{summary}</span>
      </summary>
      <div className="space-y-3 px-5 pb-3 empty:hidden">
        <RetryBanner campaign={campaign} />
      </div>
      <dl className="grid grid-cols-1 gap-x-10 px-5 pb-4 sm:grid-cols-2">
        {rows.map(({ label, value, note, state }) => (
          <div key={label} className="flex min-h-9 items-baseline justify-between gap-4 border-b py-2 text-base">
            <dt className="min-w-0 text-text">
              {label}
              {note && <span className="block text-sm text-muted">{note}</span>}
            </dt>
            <dd className="shrink-0 text-ink tabular-nums">
              {state && people && value !== null && value > 0 ? (
                <Link to={people({ state })} className="rounded-control font-medium hover:underline">
                  {formatNumber(value)}
                </Link>
              ) : (
                formatNumber(value)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
