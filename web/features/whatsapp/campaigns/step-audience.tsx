import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { z } from 'zod'
import { whatsappOptIns } from '#contracts/whatsapp.ts'
import { api } from '#web/api.ts'
import { RecipientsStep, type StepProps } from '#web/features/campaigns/index.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatNumber, plural } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Lists, and how many of their people agreed to be written to: only those are. */
export function AudienceStep(props: StepProps) {
  const { listIds } = props.draft.answers
  return (
    <div className="space-y-5">
      <RecipientsStep {...props} />
      {listIds.length > 0 && <Consents listIds={listIds} />}
    </div>
  )
}

type Summary = z.output<typeof whatsappOptIns.state.answer>

function Consents({ listIds }: { listIds: string[] }) {
  const query = useQuery({
    queryKey: ['whatsapp', 'opt-ins', 'summary', listIds],
    queryFn: () => api(whatsappOptIns.state, { query: { listIds: listIds.join(',') } }),
    placeholderData: keepPreviousData,
    // People are imported, and consents recorded, in another tab meanwhile.
    refetchInterval: 10_000,
  })
  if (query.isError && !query.data)
    return <ErrorState title="The consents could not be counted" error={query.error} onRetry={() => query.refetch()} />
  if (!query.data) return <Skeleton className="h-36" />
  return <Shares summary={query.data} />
}

function Shares({ summary: { members, withPhone, optedIn, optedOut, collected } }: { summary: Summary }) {
  const withoutConsent = Math.max(0, withPhone - optedIn - optedOut)
  const lines = [
    { count: optedIn, text: 'agreed to hear from you on WhatsApp and get it' },
    { count: withoutConsent, text: 'have no recorded consent and are left out' },
    { count: members - withPhone, text: 'have no phone number and are left out' },
    { count: optedOut, text: 'opted out, or cannot be reached, and are left out' },
  ].filter(({ count }, at) => at === 0 || count > 0)
  return (
    <Card
      title={
        optedIn === 0 ? 'Nobody on these lists can be written to' : `${plural(optedIn, 'person', 'people')} get it`
      }
      description={`of ${formatNumber(members)} on these lists`}
    >
      <ul aria-label="Who gets it, and who is left out" className="space-y-1.5 text-base">
        {lines.map(({ count, text }) => (
          <li key={text} className="flex gap-3">
            <span className="min-w-7 shrink-0 text-right font-medium text-ink tabular-nums">{formatNumber(count)}</span>
            <span className="text-text">{text}</span>
          </li>
        ))}
      </ul>
      {withoutConsent > 0 && (
        <p className="mt-3 max-w-prose text-sm text-muted">
          Only who agreed may be written to first. If they did, record how, when and for what{' '}
          <Link to="/contacts" className="font-medium text-accent-text hover:underline">
            with their contacts
          </Link>
          ; an import or a list alone is no consent
          {collected > 0 && `, and ${plural(collected, 'number')} found on web pages least of all`}.
        </p>
      )}
    </Card>
  )
}
