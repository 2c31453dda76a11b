import type { GmailFigures } from '#contracts/gmail/analytics.ts'
import { Stat } from '#web/ui/display/stat.tsx'
import { formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { type EngagementKind, engagementWords, inOneSentence } from './labels.ts'

/** The answer in a sentence, in numbers, and what they are made of. */
export function Summary({ kind, totals }: { kind: EngagementKind; totals: GmailFigures }) {
  const { rate, Did, times } = engagementWords[kind]
  const known = totals.counted > 0
  const number = (value: number) => (known ? formatNumber(value) : 'unknown')
  return (
    <section aria-label="Summary" className="space-y-4">
      <p className="max-w-3xl text-lg font-semibold tracking-tight text-balance text-ink">
        {inOneSentence(kind, totals)}
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9.25rem,1fr))] gap-3">
        <Stat label={rate} value={formatShare(totals.rate)} note="bots excluded" />
        <Stat
          label={`${Did} by people`}
          value={number(totals.engaged)}
          note={known ? `of ${formatNumber(totals.counted)} emails` : undefined}
        />
        <Stat label={`${times} by people`} value={number(totals.human)} note="every occurrence counts" />
        <Stat label={`${times} by bots`} value={number(totals.machine)} note="scanners and proxies" />
        {totals.unknown > 0 && (
          <Stat label="Not tracked" value={formatNumber(totals.unknown)} note="emails sent with tracking off" />
        )}
      </div>
      <details className="text-base">
        <summary className="w-fit rounded-control font-medium text-muted hover:text-ink">How it is calculated</summary>
        <div className="mt-2 max-w-prose space-y-2 text-text">
          <p>
            <strong className="text-ink">
              {rate} = emails {kind === 'open' ? 'opened' : 'clicked'} by a person / emails that Gmail accepted and that
              did not bounce.
            </strong>{' '}
            Each email counts once, even if it was {kind === 'open' ? 'opened' : 'clicked'} several times. Emails sent
            with tracking off are excluded.
          </p>
          <p>
            {kind === 'open'
              ? 'Opens are detected with a tracking pixel. Gmail and other providers load images through their own servers, so opens that happen immediately, from known fetchers or in bursts count as bots. Opens with images blocked can’t be detected, so the true number may be higher.'
              : 'Clicks are detected because links lead through this server first. Scanners follow links too, so clicks that happen immediately, from known scanners or in bursts over many links count as bots.'}
          </p>
          <p>
            Bounces are only detected for accounts with mailbox access. Emails from other accounts may have bounced
            undetected.
          </p>
        </div>
      </details>
    </section>
  )
}
