import { formatZoneName, ownZone, toInstant, wallClock, zonedFormat } from '#web/ui/lib/zoned-time.ts'

const HOUR = 3_600_000

/** How far back the figures go; the address keeps the key. */
export const periods = {
  '1': { label: 'Last 24 hours', days: 1 },
  '7': { label: 'Last 7 days', days: 7 },
  '30': { label: 'Last 30 days', days: 30 },
  '90': { label: 'Last 90 days', days: 90 },
  '365': { label: 'Last 12 months', days: 365 },
} as const
export type Period = keyof typeof periods
export type Step = 'hour' | 'day'

/** The period an address asks for; 30 days where it asks for none we have. */
export const parsePeriod = (asked: string | null): Period =>
  asked !== null && asked in periods ? (asked as Period) : '30'

/** From when, in which steps and whose days: whole hours for a day, otherwise whole days of the reader's own zone. */
export function toRange(period: Period, now = new Date()): { since: string; step: Step; timeZone: string } {
  const { days } = periods[period]
  const timeZone = ownZone()
  if (days === 1)
    return {
      since: new Date(Math.floor(now.getTime() / HOUR) * HOUR - 23 * HOUR).toISOString(),
      step: 'hour',
      timeZone,
    }
  // The calendar counts and not the clock: a day may have 23 or 25 hours.
  const today = Date.parse(wallClock(now, timeZone).date)
  const first = new Date(today - (days - 1) * 24 * HOUR).toISOString().slice(0, 10)
  return { since: (toInstant(first, '00:00', timeZone)?.at ?? now).toISOString(), step: 'day', timeZone }
}

const days = zonedFormat({ day: 'numeric', month: 'short' })
const hours = zonedFormat({ weekday: 'short', hour: '2-digit', minute: '2-digit' })

/** A step as the chart writes it: "14 Nov", or "Sat 14:00", both in the reader's zone. */
export const stepInWords = (step: Step) => (at: string) => (step === 'day' ? days : hours).format(new Date(at))

/** Whose days they are: "Berlin time". */
export const zoneInWords = (): string => (ownZone() === 'UTC' ? 'UTC' : `${formatZoneName(ownZone())} time`)
