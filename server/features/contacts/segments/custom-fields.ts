import { type RawBuilder, sql } from 'kysely'
import { daysAgo, toDay, yearlyDays } from './days.ts'

/** What counts as a number, and what begins with a day; anything else compares as neither. */
const NUMBER = '^-?\\d{1,15}(\\.\\d{1,15})?$'
const DAY = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])($|[T ])'
const COMPARISONS = { above: sql`>`, below: sql`<`, atLeast: sql`>=`, atMost: sql`<=` }

/** Compares a custom field as a number or a day. Days are text of one length, which compares as they do. */
export function compareCustom(
  column: RawBuilder<unknown>,
  is: string,
  value: string | number,
  now: Date,
): RawBuilder<boolean> {
  const text = sql`trim(coalesce(${column}, ''))`
  if (Object.hasOwn(COMPARISONS, is))
    return sql`case when ${text} ~ ${NUMBER} then ${text}::numeric ${COMPARISONS[is as keyof typeof COMPARISONS]} ${String(value)}::numeric else false end`
  const day = sql`left(${text}, 10) collate "C"`
  const whereDay = (condition: RawBuilder<unknown>) => sql<boolean>`(${text} ~ ${DAY} and ${condition})`
  switch (is) {
    case 'before':
      return whereDay(sql`${day} < ${value}`)
    case 'after':
      return whereDay(sql`${day} > ${value}`)
    case 'inLast':
      return whereDay(sql`${day} between ${toDay(daysAgo(now, Number(value)))} and ${toDay(now)}`)
    case 'inNext':
      return whereDay(sql`${day} between ${toDay(now)} and ${toDay(daysAgo(now, -Number(value)))}`)
    default:
      return whereDay(sql`substr(${text}, 6, 5) = any(${yearlyDays(now, Number(value))}::text[])`)
  }
}
