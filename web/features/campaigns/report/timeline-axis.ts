import { formatDay } from '#web/ui/lib/format.ts'
import { zonedFormat } from '#web/ui/lib/zoned-time.ts'

const clock = zonedFormat({ hour: '2-digit', minute: '2-digit' })
const days = zonedFormat({ day: 'numeric', month: 'short' })
const DAY_MS = 86_400_000

interface TimelineAxis {
  /** The days it shows: "24 Nov 2026", "24 Nov 2026 to 2 Dec 2026". */
  period: string
  formatTick: (at: string) => string
  /** The first bucket of each day, where it spans days; undefined: as many as fit. */
  ticks: string[] | undefined
  /** The bucket in which sending started. */
  sentAt: string | undefined
}

/** How a timeline of buckets, by their beginnings, is written: hours within two days, else days. In the reader's time zone. */
export function describeTimeline(buckets: string[], startedAt: string | null): TimelineAxis {
  const [first, last] = [buckets[0] ?? '', buckets.at(-1) ?? '']
  const span = Date.parse(last) - Date.parse(first)
  const [from, to] = [formatDay(first), formatDay(last)]
  const isShort = !(span > 2 * DAY_MS)
  const isMidnight = (at: string) => clock.format(new Date(at)) === '00:00'
  const mornings = buckets.filter((at, index) => formatDay(at) !== formatDay(buckets[index - 1]))
  return {
    period: from === to ? from : `${from} to ${to}`,
    formatTick: (at) =>
      isShort && !(from !== to && isMidnight(at)) ? clock.format(new Date(at)) : days.format(new Date(at)),
    ticks: isShort ? undefined : mornings,
    sentAt: startedAt ? buckets.findLast((at) => Date.parse(at) <= Date.parse(startedAt)) : undefined,
  }
}
