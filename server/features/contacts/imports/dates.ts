import type { DateFormat } from '#contracts/contacts/imports.ts'
import { restore } from '#server/platform/csv.ts'

/** Which part of the dates of a column comes first, by its name; null: the values do not say. */
export type DateFormats = Record<string, DateFormat | null>

// A time of day may follow.
const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?=$|[T ,])/
const YEAR_FIRST = /^(\d{4})([/.])(\d{1,2})\2(\d{1,2})(?=$|[T ,])/
const MONTHS = 12

/** A date of a file as a day such as 2026-01-31; what is no date, or of an order that nobody said, comes as it is. */
export function toDay(text: string, format: DateFormat | null): string {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return joinDay(year, month, day)
  const [, first, , second, lastYear] = YEAR_LAST.exec(text) ?? []
  if (lastYear === undefined || format === null) return text
  return format === 'day_first' ? joinDay(lastYear, second, first) : joinDay(lastYear, first, second)
}

const joinDay = (year: string, month = '', day = '') => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/** Whether day or month of a date comes first is not to be seen, as in 05/06/2026. */
export const isOfUnknownOrder = (text: string, format: DateFormat | null): boolean =>
  format === null && YEAR_LAST.test(text)

/** Finds the columns of a file that hold dates such as 31/12/2026, and whether they begin with the day or the month. */
export class DateColumns {
  private readonly columns: readonly string[]
  /** What single values say, by the place of their column. */
  private readonly said = new Map<number, Set<DateFormat>>()

  constructor(columns: readonly string[]) {
    this.columns = columns
  }

  add(cells: readonly string[]): void {
    for (const [at, cell] of cells.entries()) {
      const [, first, separator, second] = YEAR_LAST.exec(restore(cell).trim()) ?? []
      if (first === undefined) continue
      const said = this.said.get(at) ?? new Set()
      this.said.set(at, said)
      if (Number(first) > MONTHS) said.add('day_first')
      else if (Number(second) > MONTHS) said.add('month_first')
      // Wherever dates are written with dots, the day comes first.
      else if (separator === '.') said.add('day_first')
    }
  }

  /** What the rows so far say; columns without such dates are not in it. Values that contradict each other say nothing. */
  get formats(): DateFormats {
    return Object.fromEntries(
      [...this.said].flatMap(([at, said]) => {
        const column = this.columns[at]
        const [only] = said.size === 1 ? said : []
        return column === undefined ? [] : [[column, only ?? null]]
      }),
    )
  }
}
