import { countRates } from '#contracts/whatsapp/rates.ts'
import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { Stat } from '#web/ui/display/stat.tsx'
import { formatNumber, formatShare, plural } from '#web/ui/lib/format.ts'
import { dollars, knownCost, monthInWords } from './labels.ts'

const share = (rate: number | null, of: string) => (rate === null ? undefined : `${formatShare(rate)} of ${of}`)

/** The numbers people ask for first. Each says what it is a share of, and what cannot be known. */
export function Figures({ stats: { totals, cost } }: { stats: WhatsAppStats }) {
  const { sent, delivered, read, replied, failed, optedOut, received, waiting } = totals
  const rates = countRates(totals)
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 wide:grid-cols-4">
      <Stat
        label="Sent"
        value={formatNumber(sent)}
        note={waiting > 0 ? `${formatNumber(waiting)} not yet confirmed by a phone` : 'accepted by Meta'}
      />
      <Stat label="Delivered" value={formatNumber(delivered)} note={share(rates.delivered, 'all')} />
      <Stat
        label="Read"
        value={formatNumber(read)}
        note={`${share(rates.read, 'delivered') ?? 'nothing delivered'}; unknown where read receipts are off`}
      />
      <Stat label="Replied" value={formatNumber(replied)} note="people who replied within 72 hours of a template" />
      <Stat
        label="Failed"
        value={formatNumber(failed)}
        note={share(rates.failure, 'all') ?? 'none sent'}
        to="#failed"
      />
      <Stat
        label="Opted out"
        value={formatNumber(optedOut)}
        note={optedOut > 0 ? 'suppressed immediately' : 'none'}
        to="/contacts/suppressions"
      />
      <Stat label="Received" value={formatNumber(received)} note="messages from people" to="/whatsapp-sender/inbox" />
      <Stat
        label="Estimated cost"
        value={dollars(cost.total, cost.currency)}
        note={
          cost.total === null
            ? `at least ${dollars(knownCost(cost), cost.currency)}; price unknown for ${plural(cost.unpriced, 'message')}`
            : `at Meta’s list prices of ${monthInWords(cost.pricesOf)}`
        }
        to="#cost"
      />
    </div>
  )
}
