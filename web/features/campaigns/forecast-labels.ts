import type { Forecast, SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { formatZoneName, ownZone, wallClock } from '#web/ui/lib/zoned-time.ts'

/** Nearer than this the rate says more than a clock. */
const SOON_MS = 90_000
const SHORT_MS = 10 * 60_000
const DAY_MS = 86_400_000

/** When the next message goes, by the clocks of the sending hours, else of the viewer; null: in a moment. `emails`: first ones that wait. */
export function nextInWords(forecast: Forecast, emails: number, now = Date.now()): string | null {
  const when = nextMoment(forecast, now)
  if (when === null) return null
  if (emails === 0) return `Waiting for follow-ups. The next one is sent about ${when}.`
  return `Next ${forecast.nextStep > 1 ? 'follow-up' : 'email'} about ${when}.`
}

/** When the first message goes of a draft that is sent now; `forecast` is unknown where each recipient has hours of their own. */
export function startInWords(window: SendingWindow | null, forecast: Forecast | null, now = Date.now()): string {
  const when = forecast && nextMoment(forecast, now)
  if (when) return `First email about ${when}`
  return window?.zoneField ? 'During each recipient’s sending hours' : 'Immediately'
}

/** "09:12 tomorrow, Paris time"; null: in a moment. */
function nextMoment({ nextAt, timeZone }: Forecast, now: number): string | null {
  const at = Date.parse(nextAt)
  if (at - now < SOON_MS) return null
  const zone = timeZone ?? ownZone()
  const days = dayNumber(at, zone) - dayNumber(now, zone)
  const when = days <= 0 ? clock(at, zone) : `${clock(at, zone)} ${dayInWords(at, zone, now)}`
  return `${when}, ${zone === 'UTC' ? 'UTC' : `${formatZoneName(zone)} time`}`
}

/** When it will be over, and what may change that; empty while it is a matter of minutes. */
export function endInWords(forecast: Forecast, emails: number, now = Date.now()): string {
  const { lastAt, lastFollowUpAt, isShared } = forecast
  const zone = forecast.timeZone ?? ownZone()
  const far = (iso: string | null): iso is string => iso !== null && Date.parse(iso) - now > SHORT_MS
  const day = (iso: string) => dayInWords(Date.parse(iso), zone, now)
  const parts = [
    emails > 1 &&
      far(lastAt) &&
      `At this pace, the last ${lastFollowUpAt ? 'first email' : 'one'} is sent ${day(lastAt)}.`,
    emails > 1 && lastAt === null && 'It is too early to estimate when the last one is sent.',
    far(lastFollowUpAt) &&
      `The last follow-up is sent ${day(lastFollowUpAt)} at the latest, or earlier if people reply or unsubscribe.`,
  ].filter((part) => typeof part === 'string')
  if (parts.length > 0 && isShared) parts.push('Other campaigns use the same sender, so it may take longer.')
  return parts.join(' ')
}

/** The local day of a moment as whole days since 1970, so that two can be told apart. */
const dayNumber = (at: number, zone: string) => Date.parse(wallClock(at, zone).date) / DAY_MS

/** "today about 17:40", "tomorrow", "on Thursday", "on Thursday 3 December". */
function dayInWords(at: number, zone: string, now: number): string {
  const ahead = dayNumber(at, zone) - dayNumber(now, zone)
  if (ahead <= 0) return `today about ${clock(at, zone)}`
  if (ahead === 1) return 'tomorrow'
  const date =
    ahead > 6 ? ({ weekday: 'long', day: 'numeric', month: 'long' } as const) : ({ weekday: 'long' } as const)
  return `on ${new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...date }).format(at).replace(',', '')}`
}

const clock = (at: number, zone: string) => wallClock(at, zone).time
