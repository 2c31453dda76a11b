import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type FieldUse, fields, MAX_FIELD_USES } from '#contracts/contacts/fields.ts'
import { api } from '#web/api.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { useLabels } from './labels.ts'

function toPath({ kind, id, campaign }: FieldUse): string {
  switch (kind) {
    case 'template':
      return `/my-templates/${id}`
    case 'block':
      return '/my-templates'
    case 'segment':
      return `/contacts/segments/${id}`
    case 'form':
      return `/contacts/forms/${id}`
    case 'automation':
      return `/whatsapp-sender/automations/${id}`
    case 'journey':
      return `/journeys/${id}`
    case 'import':
      return `/contacts/imports/${id}`
    case 'campaign':
      return campaign ? campaignLink({ id, ...campaign }) : '/email-sender'
  }
}

/** What uses a field, each with a link, and what that means; nothing where nothing does. */
export function FieldUses({ id, children }: { id: string; children: React.ReactNode }) {
  const uses = useQuery({ queryKey: ['fields', 'uses', id], queryFn: () => api(fields.uses, { params: { id } }) })
  if (uses.isError && !uses.data)
    return (
      <ErrorState title="What uses this field could not be loaded" error={uses.error} onRetry={() => uses.refetch()} />
    )
  if (!uses.data || uses.data.items.length === 0) return null
  return (
    <div className="text-sm">
      <p>{children}</p>
      <ul className="mt-1 max-h-40 space-y-1 overflow-y-auto">
        {uses.data.items.map((use) => (
          <li key={`${use.kind} ${use.id}`} className="wrap-anywhere text-muted">
            {useLabels[use.kind]}{' '}
            <Link to={toPath(use)} className="text-accent-text hover:underline">
              {use.name}
            </Link>
          </li>
        ))}
      </ul>
      {uses.data.items.length >= MAX_FIELD_USES && (
        <p className="mt-1 text-muted">Up to {formatNumber(MAX_FIELD_USES)} are shown.</p>
      )}
    </div>
  )
}
