import type { Activity } from '#contracts/dashboard/dashboard.ts'
import { formatShare } from '#web/ui/lib/format.ts'

/** How a figure stands beside the one of the period before: "+25%", "-10%", "No change"; undefined where there is nothing to compare. */
export function describeChange(now: number | null, before: number | null): string | undefined {
  if (now === null || before === null || before === 0) return undefined
  if (now === before) return 'No change'
  return `${now > before ? '+' : '-'}${formatShare(Math.abs(now - before) / before)}`
}

type Trend = Activity['trend']
type Point = Omit<Trend[number], 'day'> & { x: string }

const WEEK = 7

/** Days as points of a chart; of more than a month, weeks, each named by its first day. */
export function toPoints(trend: Trend): Point[] {
  const size = trend.length > 31 ? WEEK : 1
  // Whole weeks end today; the first may be shorter.
  const first = trend.length % size
  const starts = [...(first > 0 ? [0] : [])]
  for (let at = first; at < trend.length; at += size) starts.push(at)
  return starts.map((start, index) => {
    const part = trend.slice(start, starts[index + 1])
    const add = (field: 'sent' | 'opened' | 'clicked' | 'replied' | 'previousSent') =>
      part.reduce((sum, day) => sum + day[field], 0)
    return {
      x: part[0]?.day ?? '',
      sent: add('sent'),
      opened: add('opened'),
      clicked: add('clicked'),
      replied: add('replied'),
      previousSent: add('previousSent'),
    }
  })
}
