import { LRUCache } from 'lru-cache'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** There are some 450 time zones, but each can be spelled in many ways. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 })

function findFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}

/** The ISO day of the week (1 Monday) and the minute of the day that the clocks of a zone show. Throws RangeError for a zone nobody knows. */
export function wallClock(at: Date | number, timeZone: string): { day: number; minute: number } {
  const parts = Object.fromEntries(
    findFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return { day: DAYS.indexOf(parts.weekday ?? '') + 1, minute: Number(parts.hour) * 60 + Number(parts.minute) }
}

/** Minutes since midnight of a time such as 09:30. */
export const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
