import { useSearchParams } from 'react-router'
import { Input } from '#web/ui/form/input.tsx'
import { withParam } from '#web/ui/lib/with-param.ts'

/** The first moment of a day (YYYY-MM-DD) in the reader's zone, as ISO; undefined for anything else. */
export function dayStart(day: string, later = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (!year) return undefined
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}

/** The first moment after a day. */
export const dayEnd = (day: string) => dayStart(day, 1)

/** From one day to another, both included, stored in the URL as `?from=` and `?to=`. */
export function DayFilter() {
  const [search, setSearch] = useSearchParams()
  const field = (param: 'from' | 'to', label: string) => (
    <div className="flex items-center gap-2 text-sm text-muted">
      <span aria-hidden="true" className="max-sm:w-10 max-sm:shrink-0">
        {label}
      </span>
      <Input
        type="date"
        aria-label={`${label}: day`}
        className="w-36"
        value={search.get(param) ?? ''}
        onChange={(event) => {
          const { value } = event.target
          setSearch((old) => withParam(old, param, value), { replace: true, preventScrollReset: true })
        }}
      />
    </div>
  )
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {field('from', 'From')}
      {field('to', 'To')}
    </div>
  )
}
