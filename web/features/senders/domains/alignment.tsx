import { Link } from 'react-router'
import { isAtOrBelow } from '#contracts/email-address.ts'
import type { SendingDomain } from '#contracts/senders/domains.ts'
import { useDomains } from './queries.ts'

const domainPart = (address: string) =>
  address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()

/** The sending domain an address belongs to: its own, or the nearest one above it. */
function findCovering(domains: readonly SendingDomain[], from: string): SendingDomain | undefined {
  return domains
    .filter(({ domain }) => isAtOrBelow(from, domain))
    .toSorted((a, b) => b.domain.length - a.domain.length)[0]
}

/** Says under a From address whether its emails are signed in its name (DMARC alignment). */
export function Alignment({ address }: { address: string }) {
  const { data } = useDomains()
  const from = domainPart(address)
  if (!data || !address.includes('@') || !from.includes('.')) return null
  const covering = findCovering(data.items, from)
  if (!covering)
    return (
      <p className="text-sm text-muted">
        {from} is not one of your <DomainsLink />. Emails carry only a signature of your mail server, and pass DMARC
        only if that one is made for {from}.
      </p>
    )
  if (!covering.signs)
    return (
      <p className="text-sm text-muted">
        {covering.domain} is one of your <DomainsLink id={covering.id} />, but its DKIM key is not in DNS yet: emails
        are not signed.
      </p>
    )
  return (
    <p className="text-sm text-muted">
      Emails are signed for {covering.domain}, so they are aligned with this address
      {covering.domain === from ? '.' : ', a subdomain. A DMARC record with adkim=s asks for the same domain.'}
    </p>
  )
}

const DomainsLink = ({ id }: { id?: string }) => (
  <Link to={id ? `/sending-domains/${id}` : '/sending-domains'} className="underline underline-offset-3">
    sending domains
  </Link>
)
