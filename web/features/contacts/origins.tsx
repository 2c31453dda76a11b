import type { contacts } from '#contracts/contacts/contacts.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { SourceLink } from '#web/ui/layout/source-link.tsx'
import { formatMoment } from '#web/ui/lib/format.ts'
import type { ContactProfile } from './queries.ts'

type Origin = ResponseBody<typeof contacts.get>['origins'][number]

const basisWords: Record<NonNullable<Origin['basis']>, string> = {
  consent: 'consent',
  customer: 'existing customer',
  legitimate_interest: 'legitimate interest',
}

/** Where a collected contact was found and why it may be written to. Nothing for contacts that came another way. */
export function Origins({ contact: { origins } }: { contact: ContactProfile }) {
  if (origins.length === 0) return null
  return (
    <section aria-labelledby="origins" className="rounded-card border bg-surface p-5">
      <h3 id="origins" className="text-sm font-medium text-ink">
        Source
      </h3>
      <ul className="mt-2 space-y-3">
        {origins.map((origin) => (
          <li key={`${origin.at} ${origin.sourceUrl}`} className="text-sm">
            <SourceLink url={origin.sourceUrl} title="" className="text-base" />
            <p className="text-muted">{formatMoment(origin.foundAt)}</p>
            {origin.evidence && <p className="mt-0.5 wrap-anywhere text-text">“{origin.evidence}”</p>}
            <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-text">
              {origin.basis ? (
                <Badge shape="check">Lawful basis: {basisWords[origin.basis]}</Badge>
              ) : (
                <Badge tone="attention" shape="minus">
                  No lawful basis recorded, so campaigns skip this contact
                </Badge>
              )}
              {origin.basisNote}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
