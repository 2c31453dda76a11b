import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { FollowUp } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { formatMoment } from '#web/ui/lib/format.ts'

/**
 * What becomes of the queued messages of a follow-up: "next 30 Nov 2026, 02:57", "will not be sent"; empty: none wait. One whose
 * time has come may have to wait for the limits of its account, and the campaign's forecast says until when.
 */
export function describeQueued(
  { counts, nextAt }: Pick<FollowUp, 'counts' | 'nextAt'>,
  { state, forecast }: Pick<Campaign, 'state' | 'forecast'>,
  now = Date.now(),
): string {
  if (counts.queued === 0 && nextAt === null) return ''
  if (state === 'cancelled' || state === 'failed') return 'will not be sent'
  if (nextAt === null) return ''
  if (state === 'paused') return 'continue after you resume'
  const at = Math.max(Date.parse(nextAt), forecast ? Date.parse(forecast.nextAt) : 0)
  return at > now ? `next ${formatMoment(new Date(at).toISOString())}` : 'due now'
}
