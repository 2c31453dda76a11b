import { Link } from 'react-router'
import { campaignLink } from '#web/channel-pages.ts'
import { formatMoment } from '#web/ui/lib/format.ts'
import { useChannel } from '../channels/index.ts'
import { useCampaigns } from '../queries.ts'

/** Drafts that wait to be finished, over a new one. */
export function OpenDrafts() {
  const drafts = useCampaigns({ channel: useChannel().id, state: 'draft', limit: 3 })
  if (!drafts.data || drafts.data.items.length === 0) return null
  return (
    <section aria-label="Drafts" className="mb-6 rounded-card border bg-surface px-4 py-3 text-base">
      <h2 className="text-sm font-medium text-muted">Continue a draft</h2>
      <ul className="mt-1 space-y-0.5">
        {drafts.data.items.map((draft) => (
          <li key={draft.id} className="flex flex-wrap items-baseline gap-x-3">
            <Link to={campaignLink(draft)} className="min-w-0 truncate font-medium text-accent-text hover:underline">
              {draft.name}
            </Link>
            <span className="text-sm text-muted">changed {formatMoment(draft.updatedAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
