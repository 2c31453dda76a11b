const DAY_MS = 86_400_000

/** The moment a number of days before another one. */
export const daysAgo = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/** The moment a day begins in UTC. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** A day in UTC, as 2026-01-31. */
export const toDay = (at: Date): string => at.toISOString().slice(0, 10)

const isLeapYear = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1

/** The days of a year, as 01-31, from today on; of a year without February 29 that day falls on the 28th. */
export function yearlyDays(now: Date, ahead: number): string[] {
  const days = new Set<string>()
  for (let day = 0; day <= ahead; day++) {
    const at = daysAgo(now, -day)
    const text = toDay(at).slice(5)
    days.add(text)
    if (text === '02-28' && !isLeapYear(at.getUTCFullYear())) days.add('02-29')
  }
  return [...days]
}
