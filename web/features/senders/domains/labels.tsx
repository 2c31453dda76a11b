import type { DomainRecord, SendingDomain } from '#contracts/senders/domains.ts'
import type { LoopbackResult } from '#contracts/senders/loopback.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

type Look = React.ComponentProps<typeof Badge>

const unknown: Look = { tone: 'attention', shape: 'warning', children: 'Unknown' }

const pending: Look = { shape: 'clock', children: 'Pending' }

const domainLooks: Record<SendingDomain['state'], Look> = {
  verified: { tone: 'good', shape: 'check', children: 'Verified' },
  failing: { tone: 'harm', shape: 'cross', children: 'Failing' },
  unknown,
  pending,
}

const recordLooks: Record<DomainRecord['state'], Look> = {
  pass: { tone: 'good', shape: 'check', children: 'Pass' },
  fail: { tone: 'harm', shape: 'cross', children: 'Fail' },
  unknown,
  missing: { tone: 'attention', shape: 'dashed', children: 'Missing' },
}

/** What DNS says of a domain, in a word. */
export const DomainState = ({ state }: Pick<SendingDomain, 'state'>) => <Badge {...domainLooks[state]} />

/** What DNS says of a record; one that is not needed is not missed, and one that was not looked up yet is pending as its domain is. */
export function RecordState({ state, required, isChecked }: Pick<DomainRecord, 'state' | 'required' | 'isChecked'>) {
  if (!isChecked) return <Badge {...pending} />
  return <Badge {...recordLooks[state]} {...(state === 'missing' && !required && { tone: 'neutral' as const })} />
}

type Verdict = LoopbackResult['dkim']

const verdictLooks: Record<Verdict, Look> = {
  pass: recordLooks.pass,
  fail: recordLooks.fail,
  none: { tone: 'attention', shape: 'dashed', children: 'None' },
  unknown,
}

/** What a receiver finds in an email, in a word. */
export const VerdictBadge = ({ verdict }: { verdict: Verdict }) => <Badge {...verdictLooks[verdict]} />

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
  return_path: {
    title: 'Return path',
    text: 'Bounces return to this name of your domain, so that SPF aligns with it. Emails use it once the domain is verified and this record is in DNS.',
  },
  tracking: {
    title: 'Tracking',
    text: 'Once the domain is verified and this record points here, tracked links, open tracking and unsubscribe links in your emails use your own domain. Links in emails already sent keep working.',
  },
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
