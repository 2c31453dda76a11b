import { LRUCache } from 'lru-cache'
import type { Hours } from '#contracts/whatsapp/automations.ts'

const DAYS: Record<string, number> = { Mon: 1, Tue: 2, Wed: 3, Thu: 4, Fri: 5, Sat: 6, Sun: 7 }
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

function findFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}

/** The day of the week (1 Monday) and the minute of the day on the wall clock of a zone. */
export function wallClock(at: Date, timeZone: string): { day: number; minute: number } {
  const parts = Object.fromEntries(
    findFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return { day: DAYS[parts.weekday ?? ''] ?? 1, minute: Number(parts.hour) * 60 + Number(parts.minute) }
}

const toMinutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** Whether a moment lies in any of the spans. One that ends before it begins goes on after midnight. */
function isInside(at: Date, { timeZone, spans }: Hours): boolean {
  const { day, minute } = wallClock(at, timeZone)
  const before = day === 1 ? 7 : day - 1
  return spans.some(({ days, from, to }) => {
    const [start, end] = [toMinutes(from), toMinutes(to)]
    if (start < end) return days.includes(day) && minute >= start && minute < end
    return (days.includes(day) && minute >= start) || (days.includes(before) && minute < end)
  })
}

/** Whether hours allow an answer at this moment; without hours always. */
export const isDue = (at: Date, hours: Hours | null): boolean =>
  hours === null || isInside(at, hours) === (hours.when === 'inside')
