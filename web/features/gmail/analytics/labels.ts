import type { GmailFigures } from '#contracts/gmail/analytics.ts'
import { formatNumber, formatShare, plural } from '#web/ui/lib/format.ts'

export type EngagementKind = 'open' | 'click'

/** What each of the two pages calls its things. */
export const engagementWords = {
  open: {
    rate: 'Open rate',
    did: 'opened',
    Did: 'Opened',
    times: 'Opens',
    meaning: 'opens' as const,
  },
  click: {
    rate: 'Click rate',
    did: 'clicked',
    Did: 'Clicked',
    times: 'Clicks',
    meaning: 'clicks' as const,
  },
}

/** The answer in one sentence; what nobody can know is said to be unknown. */
export function inOneSentence(kind: EngagementKind, { counted, unknown, engaged, rate }: GmailFigures): string {
  const { did, times } = engagementWords[kind]
  if (counted === 0 && unknown === 0) return 'No Gmail emails sent in this period.'
  if (counted === 0) return `${plural(unknown, 'email')} sent. ${times} are unknown because tracking was off.`
  if (engaged === 0) return `No ${times.toLowerCase()} yet. ${plural(counted, 'email')} sent.`
  return `People ${did} ${formatNumber(engaged)} of ${plural(counted, 'email')}: ${formatShare(rate)}.`
}

const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A day such as 2026-11-21 as an axis needs it: "21 Nov". */
export const formatDayMonth = (day: string) => dayMonth.format(new Date(day))

/** Too few emails to call an hour better than another. */
export const ENOUGH = 20

/** 9 -> "09:00 to 10:00". */
export const hourInWords = (hour: number) => `${two(hour)}:00 to ${two((hour + 1) % 24)}:00`
const two = (value: number) => String(value).padStart(2, '0')
