/** When people opened and clicked, as buckets of a report. */
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import type { Figure } from '../rollups/counts-store.ts'

/** Seconds. */
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]
/** Beyond it the buckets are hours. */
const MINUTES_SPAN = 3 * HOUR
/** Fewer say nothing of when. */
const MIN_BUCKETS = 6

/** How fine the timeline is, in seconds: minutes while the campaign is young, hours for two days, quarters of a day for ten, then days. */
function chooseBucket(spanSeconds: number): number {
  if (spanSeconds <= 30 * MINUTE) return MINUTE
  if (spanSeconds <= MINUTES_SPAN) return 5 * MINUTE
  if (spanSeconds <= 2 * DAY) return HOUR
  return spanSeconds <= 10 * DAY ? DAY / 4 : DAY
}

/** Whether events of a campaign that started then may have to be shown by the minute. */
export const needsMinutes = (startedAt: Date | null, now: number): boolean =>
  startedAt === null || now - startedAt.getTime() <= (MINUTES_SPAN + HOUR) * 1000

const WHAT = { open: 'opens', click: 'clicks', machine: 'machine' } as const

/** Events by their minute or hour: when it began, in seconds, and how many of what. */
const byUnit = (figures: Figure[], unit: 'hour' | 'minute') =>
  figures.flatMap(({ dimension, number, total }) => {
    const [name, what] = dimension.split('-')
    return name === unit
      ? [{ at: number * (unit === 'hour' ? HOUR : MINUTE), what: WHAT[what as keyof typeof WHAT], total }]
      : []
  })

/**
 * From the start to the last event without gaps: the width grows with the span, so there are never many buckets. What is
 * missing to six lies before the start, where it is known that nothing happened. undefined: it needs figures by the minute, and
 * there are none. `isHourly`: nothing finer than hours is ever known.
 */
export function buildTimeline(
  figures: Figure[],
  startedAt: Date | null,
  isHourly = false,
): CampaignStats['timeline'] | undefined {
  const hours = byUnit(figures, 'hour')
  const minutes = byUnit(figures, 'minute')
  const some = minutes.length > 0 ? minutes : hours
  if (some.length === 0) return []
  const times = some.map(({ at }) => at)
  const began = startedAt === null ? Number.POSITIVE_INFINITY : startedAt.getTime() / 1000
  const from = Math.min(
    began,
    times.reduce((a, b) => Math.min(a, b)),
  )
  const to = times.reduce((a, b) => Math.max(a, b))
  // An hour is known by its beginning: its first or last event may be up to an hour later.
  if (!isHourly && minutes.length === 0 && to - from <= MINUTES_SPAN + HOUR) return undefined
  const seconds = Math.max(chooseBucket(to - from), isHourly ? HOUR : 0)
  const counts = new Map<number, { opens: number; clicks: number; machine: number }>()
  for (const { at, what, total } of some) {
    const bucket = counts.get(Math.floor(at / seconds)) ?? { opens: 0, clicks: 0, machine: 0 }
    bucket[what] += total
    counts.set(Math.floor(at / seconds), bucket)
  }
  const last = Math.floor(to / seconds)
  const first = Math.min(Math.floor(from / seconds), last - MIN_BUCKETS + 1)
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    at: new Date((first + i) * seconds * 1000).toISOString(),
    ...(counts.get(first + i) ?? { opens: 0, clicks: 0, machine: 0 }),
  }))
}
