import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { z } from 'zod'
import { ConsentPurpose, whatsappOptIns } from '#contracts/whatsapp.ts'
import { api } from '#web/api.ts'
import { RecipientsStep, type StepProps } from '#web/features/campaigns/index.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatNumber, plural } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { kindWords } from '../words.ts'
import { contentOf, useTemplate } from './use-content.ts'

/** Lists, and how many of their people agreed to be written to: only those are. */
export function AudienceStep(props: StepProps) {
  const { listIds } = props.draft.answers
  const template = useTemplate(contentOf(props.draft))
  return (
    <div className="space-y-5">
      <RecipientsStep {...props} />
      {listIds.length > 0 && <Consents listIds={listIds} kind={kindOf(template?.category)} />}
    </div>
  )
}

type Summary = z.output<typeof whatsappOptIns.state.answer>

function Consents({ listIds, kind }: { listIds: string[]; kind: ConsentPurpose | undefined }) {
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
  return <Shares summary={query.data} kind={kind} />
}

const kindOf = (category: string | undefined): ConsentPurpose | undefined =>
  ConsentPurpose.options.find((kind) => kind === category?.toLowerCase())

/** Who gets it and who does not. `kind`: of the template, once one is chosen; before, all that is known is who could. */
function Shares({ summary, kind }: { summary: Summary; kind: ConsentPurpose | undefined }) {
  const { members, withPhone, scopedOnly, optedIn, covers, optedOut, collected } = summary
  const withoutConsent = Math.max(0, withPhone + scopedOnly - optedIn - optedOut)
  // Without a template it is certain only where everybody who agreed agreed to every kind.
  const differs = Object.values(covers).some((count) => count !== optedIn)
  const gets = kind ? covers[kind] : optedIn
  const certain = kind !== undefined || !differs
  const lines = [
    {
      count: gets,
      text: certain ? 'agreed to hear from you on WhatsApp and get it' : 'agreed to hear from you on WhatsApp',
    },
    { count: optedIn - gets, text: `agreed to other messages, not to ${kind && kindWords[kind]}, and are left out` },
    { count: withoutConsent, text: 'have no recorded consent and are left out' },
    { count: members - withPhone - scopedOnly, text: 'have no phone number and are left out' },
    { count: optedOut, text: 'opted out, or cannot be reached, and are left out' },
  ].filter(({ count }, at) => at === 0 || count > 0)
  return (
    <Card
      title={
        gets === 0
          ? 'Nobody on these lists can be written to'
          : `${certain ? '' : 'Up to '}${plural(gets, 'person', 'people')} get it`
      }
      description={`of ${formatNumber(members)} on these lists${certain ? '' : '; it depends on the kind of template you choose'}`}
    >
      <ul aria-label="Who gets it, and who is left out" className="space-y-1.5 text-base">
        {lines.map(({ count, text }) => (
          <li key={text} className="flex gap-3">
            <span className="min-w-7 shrink-0 text-right font-medium text-ink tabular-nums">{formatNumber(count)}</span>
            <span className="text-text">{text}</span>
          </li>
        ))}
      </ul>
      {!certain && (
        <p className="mt-3 max-w-prose text-sm text-text">
          They agreed to:{' '}
          {ConsentPurpose.options.map((one) => `${kindWords[one]} ${formatNumber(covers[one])}`).join(' · ')}. A
          template only goes to who agreed to its kind.
        </p>
      )}
      {scopedOnly > 0 && (
        <p className="mt-3 max-w-prose text-sm text-muted">
          {plural(scopedOnly, 'person', 'people')} here hide their number and are known by a WhatsApp id. Everything but
          codes to sign in reaches them.
        </p>
      )}
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
