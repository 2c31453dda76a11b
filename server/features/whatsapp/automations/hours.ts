import type { Hours } from '#contracts/whatsapp/automations.ts'
import { toMinutes, wallClock } from '#server/platform/time/wall-clock.ts'

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
