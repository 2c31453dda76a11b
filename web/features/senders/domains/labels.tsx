import type { DomainRecord, SendingDomain } from '#contracts/senders/domains.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

/** What DNS says of a domain, in a word. */
export function DomainState({ state }: Pick<SendingDomain, 'state'>) {
  if (state === 'verified')
    return (
      <Badge tone="good" shape="check">
        Verified
      </Badge>
    )
  if (state === 'failing')
    return (
      <Badge tone="harm" shape="cross">
        Failing
      </Badge>
    )
  if (state === 'unknown')
    return (
      <Badge tone="attention" shape="warning">
        Unknown
      </Badge>
    )
  return <Badge shape="clock">Pending</Badge>
}

/** What DNS says of a record; one that is not needed is not missed. */
export function RecordState({ state, required }: Pick<DomainRecord, 'state' | 'required'>) {
  if (state === 'pass')
    return (
      <Badge tone="good" shape="check">
        Pass
      </Badge>
    )
  if (state === 'fail')
    return (
      <Badge tone="harm" shape="cross">
        Fail
      </Badge>
    )
  if (state === 'unknown')
    return (
      <Badge tone="attention" shape="warning">
        Unknown
      </Badge>
    )
  return (
    <Badge tone={required ? 'attention' : 'neutral'} shape="dashed">
      Missing
    </Badge>
  )
}

/** What each kind of record is for. */
export const purposes: Record<DomainRecord['purpose'], { title: string; text: string }> = {
  dkim: {
    title: 'DKIM',
    text: 'Signs your emails, so that receivers know they are from you and unchanged. The key is your workspace’s own.',
  },
  spf: {
    title: 'SPF',
    text: 'Lists the servers that may send for your domain. A domain has one SPF record: if there is one already, replace it with this value, which includes it.',
  },
  dmarc: {
    title: 'DMARC',
    text: 'Tells receivers what to do with emails that fail both. p=none changes nothing for the emails you send today.',
  },
  return_path: { title: 'Return path', text: 'A name of your domain for bounces. Emails do not use it yet.' },
  tracking: { title: 'Tracking', text: 'A name of your domain for links and images. Emails do not use it yet.' },
}

/** One line for a domain in a list. */
export function summary({ state, signs, records }: SendingDomain): string {
  if (state === 'verified') return 'Emails from this domain are signed.'
  const problem = records.find((record) => record.required && record.state === 'fail')
  if (problem) return problem.message
  const left = records.filter((record) => record.required && record.state !== 'pass').length
  const missing =
    left === 1 ? '1 required record is not confirmed yet.' : `${left} required records are not confirmed yet.`
  return signs ? `Emails are signed. ${missing}` : missing
}
