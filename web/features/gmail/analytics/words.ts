import type { GmailFigures } from '#contracts/gmail-analytics.ts'
import { formatNumber, formatShare, plural } from '#web/ui/format.ts'

export type Kind = 'open' | 'click'

/** What each of the two pages calls its things. */
export const wordsOf = {
  open: {
    title: 'Gmail Open Rate',
    description: 'How many of the letters you sent through Gmail people opened, with machines counted apart.',
    rate: 'Open rate',
    did: 'opened',
    Did: 'Opened',
    times: 'Opens',
    meaning: 'opens' as const,
  },
  click: {
    title: 'Gmail Click Rate',
    description: 'How many of the letters you sent through Gmail people clicked in, and which links.',
    rate: 'Click rate',
    did: 'clicked',
    Did: 'Clicked',
    times: 'Clicks',
    meaning: 'clicks' as const,
  },
}

/** The answer in one sentence; what nobody can know is said to be unknown. */
export function inOneSentence(kind: Kind, { counted, unknown, engaged, rate }: GmailFigures): string {
  const { did, times } = wordsOf[kind]
  if (counted === 0 && unknown === 0) return 'No letter was sent through Gmail in this time.'
  if (counted === 0)
    return `${plural(unknown, 'letter')} sent. Who ${did} is unknown: counting ${times.toLowerCase()} was off.`
  if (engaged === 0) return `Nobody is known to have ${did} yet, of ${plural(counted, 'letter')}.`
  return `People ${did} ${formatNumber(engaged)} of ${plural(counted, 'letter')}: ${formatShare(rate)}.`
}

/** Too few letters to call an hour better than another. */
export const ENOUGH = 20

/** 9 -> "09:00 to 10:00". */
export const hourInWords = (hour: number) => `${two(hour)}:00 to ${two((hour + 1) % 24)}:00`
const two = (value: number) => String(value).padStart(2, '0')
