import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'

const MINUTE_MS = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** What the clocks of a place show: ISO day of the week and minutes since midnight. */
function clockAt(timeZone: string, at: number): { day: number; minute: number } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return { day: DAYS.indexOf(parts.weekday ?? '') + 1, minute: Number(parts.hour) * 60 + Number(parts.minute) }
}

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Whether a window is open at a moment, by the clocks of its place: whatever they do twice a year, no minute outside is inside. */
export function isOpen({ days, from, to, timeZone }: SendingWindow, at: number): boolean {
  const { day, minute } = clockAt(timeZone, at)
  return days.includes(day) && minute >= toMinutes(from) && minute < toMinutes(to)
}

/**
 * Milliseconds until a window opens (0: it is open) and, while open, until it closes. Clocks are asked and not computed
 * with: a day may have 23 or 25 hours, and an hour may not exist or come twice.
 */
export function windowAt(window: SendingWindow | null, now: number): { opensIn: number; closesIn: number } {
  if (!window) return { opensIn: 0, closesIn: Number.POSITIVE_INFINITY }
  const open = isOpen(window, now)
  const change = nextChange(window, now, open) - now
  return open ? { opensIn: 0, closesIn: change } : { opensIn: change, closesIn: 0 }
}

/** The first whole minute after `now` at which the window is not as it is now; nine days ahead where there is none. */
function nextChange(window: SendingWindow, now: number, open: boolean): number {
  const length = windowLength(window)
  // Steps no longer than the window or the night between two of them, so that neither is stepped over.
  const step = Math.min(15 * MINUTE_MS, length, 24 * 60 * MINUTE_MS - length || Number.POSITIVE_INFINITY)
  const start = now - (now % MINUTE_MS)
  const end = start + 9 * 24 * 60 * MINUTE_MS
  for (let at = start + step; at < end; at += step) {
    if (isOpen(window, at) === open) continue
    let change = at
    while (change - MINUTE_MS > at - step && isOpen(window, change - MINUTE_MS) !== open) change -= MINUTE_MS
    return change
  }
  return end
}

/** Milliseconds a window is open on one of its days. */
export const windowLength = ({ from, to }: SendingWindow): number => (toMinutes(to) - toMinutes(from)) * MINUTE_MS
