import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { useAudienceNames } from '../audience/names.ts'

/** Facts about what was sent, each a name and a text. A fact without a text is not shown. */
export function FactList({ facts }: { facts: [name: string, text: string | undefined][] }) {
  return (
    <dl className="min-w-0 flex-1 space-y-1.5 text-base">
      {facts.map(
        ([name, text]) =>
          text && (
            <div key={name} className="min-w-0">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="line-clamp-2 wrap-anywhere text-ink">{text}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** The names of what a campaign went to, and of what it excluded. */
export function toAudienceFacts(
  audience: { to: string[]; except: string[] } | undefined,
): [string, string | undefined][] {
  return [
    ['To', audience?.to.join(', ')],
    ['Without', audience?.except.join(', ')],
  ]
}

/** The lists and segments of a campaign, where the report shows no content beside them. */
export function SentTo({ campaign }: { campaign: Campaign }) {
  const audience = useAudienceNames(campaign)
  if (!audience || audience.to.length + audience.except.length === 0) return null
  return (
    <div className="flex min-w-0 max-w-full flex-1 basis-80 sm:max-w-104">
      <FactList facts={toAudienceFacts(audience)} />
    </div>
  )
}
