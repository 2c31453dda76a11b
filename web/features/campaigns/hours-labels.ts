import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { ownZone } from '#web/ui/lib/zoned-time.ts'

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** The days of a week as their numbers and names: 1 is Monday. */
export const weekDays = names.map((name, index) => ({ day: index + 1, name }))

/** [1, 2, 3, 5] -> "Mon to Wed, Fri". */
export function daysInWords(days: number[]): string {
  if (days.length === 7) return 'every day'
  const runs: [number, number][] = []
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && last[1] === day - 1) last[1] = day
    else runs.push([day, day])
  }
  return runs
    .map(([from, to]) =>
      to === from ? names[from - 1] : `${names[from - 1]} ${to === from + 1 ? 'and' : 'to'} ${names[to - 1]}`,
    )
    .join(', ')
}

/** "Mon to Fri, 09:00 to 17:00, spread out", or that any time will do. */
export function hoursInWords({ window, spread }: { window: SendingWindow | null; spread: boolean }): string {
  const whose = window?.zoneField ? ' in each recipient’s time zone' : ''
  const when = window ? `${daysInWords(window.days)}, ${window.from} to ${window.to}${whose}` : 'at any time'
  return spread ? `${when}, spread out` : when
}

/** Monday to Friday, 9 to 17, in the user's time zone: what a new campaign starts with. */
export const officeHours = (): SendingWindow => ({
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '17:00',
  timeZone: ownZone(),
})
