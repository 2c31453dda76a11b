import type { Forecast } from '#contracts/campaign-parts.ts'
import { ownZone, placeOf } from '#web/ui/zoned-time.ts'

/** Nearer than this the rate says more than a clock. */
const SOON_MS = 90_000
const SHORT_MS = 10 * 60_000
const DAY_MS = 86_400_000

/** When the next message goes, by the clocks of the sending hours, else of whoever reads; null: in a moment. `letters`: first ones that wait. */
export function nextInWords(forecast: Forecast, letters: number, now = Date.now()): string | null {
  const at = Date.parse(forecast.nextAt)
  if (at - now < SOON_MS) return null
  const zone = forecast.timeZone ?? ownZone()
  const days = dayNumber(at, zone) - dayNumber(now, zone)
  const when = days <= 0 ? clock(at, zone) : `${clock(at, zone)} ${dayInWords(at, zone, now)}`
  const place = zone === 'UTC' ? 'UTC' : `${placeOf(zone)} time`
  if (letters === 0) return `Waiting for follow-ups: the next goes about ${when}, ${place}.`
  return `Next ${forecast.nextStep > 1 ? 'message, a follow-up,' : 'letter'} about ${when}, ${place}.`
}

/** When it will be over, and what may change that; empty while it is a matter of minutes. */
export function endInWords(forecast: Forecast, letters: number, now = Date.now()): string {
  const { lastAt, lastFollowUpAt, isShared } = forecast
  const zone = forecast.timeZone ?? ownZone()
  const far = (iso: string | null): iso is string => iso !== null && Date.parse(iso) - now > SHORT_MS
  const day = (iso: string) => dayInWords(Date.parse(iso), zone, now)
  const parts = [
    letters > 1 && far(lastAt) && `At this pace the last ${lastFollowUpAt ? 'first letter ' : ''}goes ${day(lastAt)}.`,
    letters > 1 && lastAt === null && 'When the last one goes is too far away to tell.',
    far(lastFollowUpAt) &&
      `The last follow-up goes ${day(lastFollowUpAt)} at the latest, sooner if people answer or leave.`,
  ].filter((part) => typeof part === 'string')
  if (parts.length > 0 && isShared) parts.push('Other campaigns send through the same account, so it may take longer.')
  return parts.join(' ')
}

/** The local day of a moment as whole days since 1970, so that two can be told apart. */
const dayNumber = (at: number, zone: string) =>
  Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)) / DAY_MS

/** "today about 17:40", "tomorrow", "on Thursday", "on Thursday 3 December". */
function dayInWords(at: number, zone: string, now: number): string {
  const ahead = dayNumber(at, zone) - dayNumber(now, zone)
  if (ahead <= 0) return `today about ${clock(at, zone)}`
  if (ahead === 1) return 'tomorrow'
  const date =
    ahead > 6 ? ({ weekday: 'long', day: 'numeric', month: 'long' } as const) : ({ weekday: 'long' } as const)
  return `on ${new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...date }).format(at).replace(',', '')}`
}

const clock = (at: number, zone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at)
