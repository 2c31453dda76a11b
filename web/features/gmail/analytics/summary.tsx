import type { GmailFigures } from '#contracts/gmail-analytics.ts'
import { formatNumber, formatShare } from '#web/ui/format.ts'
import { Stat } from '#web/ui/stat.tsx'
import { inOneSentence, type Kind, wordsOf } from './words.ts'

/** The answer in a sentence, in numbers, and what they are made of. */
export function Summary({ kind, totals }: { kind: Kind; totals: GmailFigures }) {
  const { rate, Did, times } = wordsOf[kind]
  const known = totals.counted > 0
  const number = (value: number) => (known ? formatNumber(value) : 'unknown')
  return (
    <section aria-label="Summary" className="space-y-4">
      <p className="max-w-3xl text-lg font-semibold tracking-tight text-balance text-ink">
        {inOneSentence(kind, totals)}
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9.25rem,1fr))] gap-3">
        <Stat label={rate} value={formatShare(totals.rate)} note="machines left out" />
        <Stat
          label={`${Did} by people`}
          value={number(totals.engaged)}
          note={known ? `of ${formatNumber(totals.counted)} letters` : undefined}
        />
        <Stat label={`${times} by people`} value={number(totals.human)} note="each time counts" />
        <Stat label={`${times} by machines`} value={number(totals.machine)} note="scanners and proxies" />
        {totals.unknown > 0 && (
          <Stat label="Not counted" value={formatNumber(totals.unknown)} note="letters with counting off: unknown" />
        )}
      </div>
      <details className="text-base">
        <summary className="w-fit rounded-control font-medium text-muted hover:text-ink">How it is counted</summary>
        <div className="mt-2 max-w-prose space-y-2 text-text">
          <p>
            <strong className="text-ink">
              {rate} = letters {kind === 'open' ? 'opened' : 'clicked in'} by a person / letters that Gmail took and
              that did not come back.
            </strong>{' '}
            Each letter counts once, however often it was {kind === 'open' ? 'opened' : 'clicked in'}. Letters with
            counting off are in neither number.
          </p>
          <p>
            {kind === 'open'
              ? 'An opening is seen by an invisible picture. Gmail and others fetch pictures through machines of their own, so what comes at once, from known fetchers or in bursts counts as a machine. Who reads without pictures is not seen, so the true number may be higher.'
              : 'A click is seen as its link leads through this server. Scanners follow links too: what comes at once, from known scanners or in bursts over many links counts as a machine.'}
          </p>
          <p>
            Bounces are known only of accounts that may read their mailbox; of others, letters may have come back
            unseen.
          </p>
        </div>
      </details>
    </section>
  )
}
