import type { GmailAnalytics } from '#contracts/gmail/analytics.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { ownZone } from '#web/ui/lib/zoned-time.ts'
import { type EngagementKind, engagementWords, hourInWords } from './labels.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** Hours that are written over their column. */
const MARKED = 6

/** When people opened or clicked: a day in a row, an hour in a column, the darker the more. */
export function Week({ kind, week }: { kind: EngagementKind; week: GmailAnalytics['week'] }) {
  const { times, meaning } = engagementWords[kind]
  const one = times.slice(0, -1).toLowerCase()
  const most = Math.max(...week.map(({ human }) => human))
  const best = week.find(({ human }) => human === most)
  return (
    <Card title={`${times} by day and hour`} description={`By people, in ${ownZone().replaceAll('_', ' ')} time.`}>
      {best && (
        <p className="mb-4 text-base text-text">
          Most {times.toLowerCase()}:{' '}
          <strong className="text-ink">
            {weekdays[best.weekday - 1]}, {hourInWords(best.hour)}
          </strong>{' '}
          ({plural(best.human, one)}).
        </p>
      )}
      <table
        aria-label={`${times} by day and hour`}
        className="w-full table-fixed border-separate border-spacing-px text-xs"
      >
        <thead>
          <tr>
            <td className="w-9" />
            {hours.map((hour) => (
              <th key={hour} scope="col" className="text-left font-normal whitespace-nowrap text-muted">
                <span className={hour % MARKED === 0 ? '' : 'sr-only'}>{hour}:00</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((day, at) => (
            <tr key={day}>
              <th scope="row" className="text-left font-normal text-muted">
                <span aria-hidden="true">{day.slice(0, 3)}</span>
                <span className="sr-only">{day}</span>
              </th>
              {hours.map((hour) => {
                const human = week.find((one) => one.weekday === at + 1 && one.hour === hour)?.human ?? 0
                return (
                  <td
                    key={hour}
                    title={`${day}, ${hourInWords(hour)}: ${plural(human, one)}`}
                    className="h-6 rounded-[2px] bg-sunken"
                    style={
                      human > 0 ? { background: toShade(`var(--color-chart-${meaning})`, human / most) } : undefined
                    }
                  >
                    <span className="sr-only">{human}</span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

/** A color by a share of the most: one of it is seen already. */
const toShade = (color: string, share: number) =>
  `color-mix(in oklab, ${color} ${Math.round(20 + 80 * share)}%, transparent)`
