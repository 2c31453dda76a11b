import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { toMinutes, wallClock } from '#server/platform/time/wall-clock.ts'

const MINUTE_MS = 60_000
const DAY = 24 * 60
const WEEK = 7 * DAY

/** Whether a window is open at a moment, by the clocks of its place: whatever they do twice a year, no minute outside is inside. */
export function isOpen(window: SendingWindow, at: number): boolean {
  return isOpenOn(window, minuteOfWeek(window.timeZone, at))
}

/** Minutes since the beginning of Monday that the clocks of a place show. */
function minuteOfWeek(timeZone: string, at: number): number {
  const { day, minute } = wallClock(at, timeZone)
  return (day - 1) * DAY + minute
}

function isOpenOn({ days, from, to }: SendingWindow, minuteOfWeek: number): boolean {
  const minute = minuteOfWeek % DAY
  return days.includes(Math.floor(minuteOfWeek / DAY) + 1) && minute >= toMinutes(from) && minute < toMinutes(to)
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

/**
 * The first whole minute after `now` at which the window is not as it is now; nine days ahead where there is none. It is computed
 * as if the clocks ran on evenly. Where they do not, it is computed again from the minute at which they are changed: clocks are
 * asked a few dozen times at most, for hours of one minute a week too.
 */
function nextChange(window: SendingWindow, now: number, open: boolean): number {
  const start = now - (now % MINUTE_MS)
  const end = start + 9 * DAY * MINUTE_MS
  for (let at = start; at < end; ) {
    const local = minuteOfWeek(window.timeZone, at)
    const ahead = minutesToChange(window, local, open)
    const change = ahead === undefined ? end : at + ahead * MINUTE_MS
    if (isEven(window.timeZone, local, at, change)) return Math.min(change, end)
    at = findShift(window.timeZone, local, at, change)
    if (isOpen(window, at) !== open) return at
  }
  return end
}

/** Minutes until hours open or close by clocks that run evenly; undefined: they never do. */
function minutesToChange(window: SendingWindow, local: number, open: boolean): number | undefined {
  const edges = window.days.flatMap((day) => [window.from, window.to].map((time) => (day - 1) * DAY + toMinutes(time)))
  const ahead = edges.map((edge) => (edge - local + WEEK) % WEEK || WEEK).toSorted((a, b) => a - b)
  return ahead.find((minutes) => isOpenOn(window, (local + minutes) % WEEK) !== open)
}

/** Whether clocks that show the minute `local` at a moment ran evenly to a later one. */
const isEven = (timeZone: string, local: number, at: number, later: number): boolean =>
  minuteOfWeek(timeZone, later) === (local + (later - at) / MINUTE_MS) % WEEK

/** The minute at which clocks are changed that run unevenly from one moment to a later one. */
function findShift(timeZone: string, local: number, at: number, later: number): number {
  let [even, uneven] = [at, later]
  while (uneven - even > MINUTE_MS) {
    const middle = even + Math.floor((uneven - even) / MINUTE_MS / 2) * MINUTE_MS
    if (isEven(timeZone, local, at, middle)) even = middle
    else uneven = middle
  }
  return uneven
}

/** Milliseconds a window is open on one of its days. */
export const windowLength = ({ from, to }: SendingWindow): number => (toMinutes(to) - toMinutes(from)) * MINUTE_MS
