import type { LoopbackResult } from '#contracts/senders/loopback.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { VerdictBadge } from './labels.tsx'

/** What a receiver found in an email, row by row. */
export function LoopbackFacts({ result }: { result: LoopbackResult }) {
  const { dkim, spf, dmarc, tls, unsubscribeSigned, seconds } = result
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[7rem_auto_minmax(0,1fr)] sm:gap-y-3">
      <Fact label="DKIM" badge={<VerdictBadge verdict={dkim} />}>
        <Signatures result={result} />
      </Fact>
      <Fact label="SPF" badge={<VerdictBadge verdict={spf.state} />}>
        <p>{describeSpf(result)}</p>
        <p className="text-muted">MAIL FROM: {spf.mailFrom || 'empty'}</p>
      </Fact>
      <Fact label="DMARC" badge={<VerdictBadge verdict={dmarc.state} />}>
        <p>{describeDmarc(result)}</p>
      </Fact>
      <Fact
        label="Unsubscribe"
        badge={
          <Badge
            {...(unsubscribeSigned
              ? { tone: 'good', shape: 'check' as const }
              : { tone: 'attention', shape: 'warning' as const })}
          >
            {unsubscribeSigned ? 'Signed' : 'Not signed'}
          </Badge>
        }
      >
        <p>Receivers show an unsubscribe button only if a DKIM signature covers its headers.</p>
      </Fact>
      <Fact label="Encryption" badge={<Badge>{tls ?? 'None'}</Badge>}>
        <p>
          {tls
            ? 'The last connection, which brought the email here, was encrypted.'
            : 'The last connection was not encrypted.'}
        </p>
      </Fact>
      <Fact label="Arrived" badge={<Badge>{formatSeconds(seconds)}</Badge>}>
        <p>Time since the mail server took the email.</p>
      </Fact>
    </dl>
  )
}

function Fact({ label, badge, children }: { label: string; badge: React.ReactNode; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd>{badge}</dd>
      <dd className="min-w-0 space-y-0.5 wrap-anywhere text-ink max-sm:col-span-2 max-sm:mb-2">{children}</dd>
    </>
  )
}

function Signatures({ result: { signatures, dkim } }: { result: LoopbackResult }) {
  if (signatures.length === 0)
    return <p>{dkim === 'unknown' ? 'DNS did not respond in time.' : 'The email has no signature.'}</p>
  return signatures.map(({ domain, selector, state, aligned, reason }) => (
    <p key={`${domain} ${selector}`}>
      {domain}, selector {selector}
      {state === 'pass' && `: valid${aligned ? '' : ', but not aligned with the From address'}`}
      {state === 'fail' && `: not valid, because ${reason}`}
      {state === 'unknown' && ': unknown, because DNS did not respond'}
    </p>
  ))
}

function describeSpf({ spf: { state, ip, domain, aligned, reason } }: LoopbackResult): string {
  if (state === 'pass')
    return `${ip} may send for ${domain}${aligned ? ', which is aligned with the From address.' : ', which is not aligned with the From address.'}`
  if (reason) return `The SPF record of ${domain} cannot be evaluated: ${reason}.`
  if (state === 'fail') return `The SPF record of ${domain} does not name ${ip}.`
  if (state === 'none') return `${domain} has no SPF record. The email came from ${ip}.`
  return `It cannot be said whether ${ip}, which delivered the email, may send${domain && ` for ${domain}`}.`
}

function describeDmarc({ dmarc: { state, policy }, dkim, spf }: LoopbackResult): string {
  if (state === 'none') return 'There is no DMARC record.'
  const asks = policy ? ` The record asks for p=${policy}.` : ''
  if (state === 'unknown') return `It cannot be said whether the email passes.${asks}`
  if (state === 'fail') return `Neither DKIM nor SPF passes for the domain of the From address.${asks}`
  const by = [dkim === 'pass' && 'DKIM', spf.state === 'pass' && spf.aligned && 'SPF'].filter(Boolean)
  return `Aligned by ${by.join(' and ')}.${asks}`
}

const formatSeconds = (seconds: number) => `${formatNumber(Math.round(seconds * 10) / 10)} s`
