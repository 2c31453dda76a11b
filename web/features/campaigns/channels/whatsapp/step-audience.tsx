import { Link } from 'react-router'
import type { z } from 'zod'
import { ConsentPurpose, type whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { AudienceCount, type Draft, RecipientsStep, type StepProps } from '#web/features/campaigns/index.ts'
import { kindWords } from '#web/features/consents/index.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { readContent, useReach, useTemplate } from './use-content.ts'

/** Lists and segments, and how many of their people agreed to be written to: only those are. */
export function AudienceStep(props: StepProps) {
  return <RecipientsStep {...props} rowNote={ListReach} count={ConsentCount} />
}

/** Of lists alone it is told which consents their people gave; with segments and exclusions only who gets it. */
function ConsentCount({ draft }: { draft: Draft }) {
  const { listIds, segmentIds, excludeListIds, excludeSegmentIds } = draft.choices
  const template = useTemplate(readContent(draft))
  if (segmentIds.length + excludeListIds.length + excludeSegmentIds.length > 0) return <AudienceCount draft={draft} />
  return listIds.length > 0 && <Consents listIds={listIds} kind={findConsentPurpose(template?.category)} />
}

type Summary = z.output<typeof whatsappConsents.state.response>

function Consents({ listIds, kind }: { listIds: string[]; kind: ConsentPurpose | undefined }) {
  const query = useReach(listIds)
  if (query.isError && !query.data)
    return <ErrorState title="Consents could not be counted" error={query.error} onRetry={() => query.refetch()} />
  if (!query.data) return <Skeleton className="h-36" />
  return <Shares summary={query.data} kind={kind} />
}

/** "12 of 800 reachable", beside a list. */
function ListReach({ listId }: { listId: string }) {
  const { data } = useReach([listId])
  if (!data) return null
  return (
    <>
      {formatNumber(data.consented)} of {formatNumber(data.members)} reachable
    </>
  )
}

const findConsentPurpose = (category: string | undefined): ConsentPurpose | undefined =>
  ConsentPurpose.options.find((kind) => kind === category?.toLowerCase())

/** Who gets it and who does not. `kind`: of the template, once one is chosen; before, all that is known is who could. */
function Shares({ summary, kind }: { summary: Summary; kind: ConsentPurpose | undefined }) {
  const { members, withPhone, scopedOnly, consented, covers, suppressed, collected } = summary
  const withoutConsent = Math.max(0, withPhone + scopedOnly - consented - suppressed)
  // Without a template it is certain only where everybody who agreed agreed to every kind.
  const differs = Object.values(covers).some((count) => count !== consented)
  const gets = kind ? covers[kind] : consented
  const certain = kind !== undefined || !differs
  const lines = [
    {
      count: gets,
      text: certain ? 'gave WhatsApp consent and will get it' : 'gave WhatsApp consent',
    },
    {
      count: consented - gets,
      text: `skipped: consent for other messages, not for ${kind && kindWords[kind]}`,
    },
    { count: withoutConsent, text: 'skipped: no recorded consent' },
    { count: members - withPhone - scopedOnly, text: 'skipped: no phone number' },
    { count: suppressed, text: 'skipped: on the suppression list' },
  ].filter(({ count }, at) => at === 0 || count > 0)
  return (
    <Card
      title={
        gets === 0
          ? 'No one on these lists can be reached'
          : `${certain ? '' : 'Up to '}${plural(gets, 'person', 'people')} will get it`
      }
      description={`of ${formatNumber(members)} on these lists${certain ? '' : '; the exact number depends on the template you choose'}`}
    >
      <ul aria-label="Recipients and skipped contacts" className="space-y-1.5 text-base">
        {lines.map(({ count, text }) => (
          <li key={text} className="flex gap-3">
            <span className="min-w-7 shrink-0 text-right font-medium text-ink tabular-nums">{formatNumber(count)}</span>
            <span className="text-text">{text}</span>
          </li>
        ))}
      </ul>
      {!certain && (
        <p className="mt-3 max-w-prose text-sm text-text">
          Consent for:{' '}
          {ConsentPurpose.options.map((one) => `${kindWords[one]} ${formatNumber(covers[one])}`).join(' · ')}. A
          template is only sent to people whose consent covers its category.
        </p>
      )}
      {scopedOnly > 0 && (
        <p className="mt-3 max-w-prose text-sm text-muted">
          {plural(scopedOnly, 'person', 'people')} here hide their number and are known by a WhatsApp ID. They can
          receive everything except authentication codes.
        </p>
      )}
      {withoutConsent > 0 && (
        <p className="mt-3 max-w-prose text-sm text-muted">
          You can only start conversations with people who gave consent. If they did,{' '}
          <Link to="/contacts" className="font-medium text-accent-text hover:underline">
            record consent
          </Link>
          . Being imported or on a list is not consent
          {collected > 0 && `, and neither is ${plural(collected, 'number')} found on a web page`}.
        </p>
      )}
    </Card>
  )
}
