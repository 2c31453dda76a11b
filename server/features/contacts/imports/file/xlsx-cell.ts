export interface Styles {
  /** The cell styles (indexes into cellXfs) that show a number as a date or a time. */
  dates: Set<number>
  date1904: boolean
}

/** Characters of a number format, as Excel has it. */
const MAX_CODE_LENGTH = 255

type Open = (name: string, attributes: Record<string, string>) => void

/** Reads from styles.xml which cell styles are dates (ECMA-376 18.8.30: built-in 14-22 and 45-47, or a code of d, m, y, h, s). */
export async function dateStyles(parse: (open: Open) => Promise<void>): Promise<Set<number>> {
  const dates = new Set<number>()
  const codes = new Map<string, string>()
  let inCells = false
  let index = 0
  await parse((name, a) => {
    if (name === 'numFmt') codes.set(a.numFmtId ?? '', (a.formatCode ?? '').slice(0, MAX_CODE_LENGTH))
    if (name === 'cellXfs') inCells = true
    if (name === 'cellStyles' || name === 'dxfs') inCells = false
    if (name === 'xf' && inCells) {
      if (isDate(Number(a.numFmtId ?? 0), codes.get(a.numFmtId ?? ''))) dates.add(index)
      index++
    }
  })
  return dates
}

function isDate(id: number, code: string | undefined): boolean {
  if (code === undefined) return (id >= 14 && id <= 22) || (id >= 45 && id <= 47)
  const bare = code.replace(/"[^"]*"|\\.|\[[^[\]]*\]/g, '')
  return /[dmyhs]/i.test(bare) && !/general/i.test(bare)
}

/** What a cell says, as a person would type it: dates as ISO 8601, numbers without exponent. A number is a shared string's. */
export function cellValue(type: string, style: string, value: string, styles: Styles): string | number {
  if (type === 's') return sharedIndex(value)
  if (type === 'b') return value === '1' || value === 'true' ? 'true' : 'false'
  if (type === 'e') return ''
  if (type !== 'n') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return style !== '' && styles.dates.has(Number(style)) ? dateText(number, styles.date1904) : numberText(number)
}

function sharedIndex(value: string): number | '' {
  const index = Number(value)
  return Number.isSafeInteger(index) && index >= 0 ? index : ''
}

/** Excel keeps 15 digits; what binary fractions add behind them is noise. */
function numberText(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e21) return BigInt(number).toString()
  return String(Number(number.toPrecision(15)))
}

function dateText(serial: number, date1904: boolean): string {
  if (serial < 0 || serial > 2_958_466) return numberText(serial)
  // Day 60 of the 1900 system is a 29 February that never was: earlier days count from a day later.
  const days = date1904 ? serial + 1_462 : serial < 60 ? serial + 1 : serial
  const moment = new Date(Math.round((days - 25_569) * 86_400) * 1_000).toISOString()
  if (serial < 1 && !date1904) return moment.slice(11, 19)
  return Number.isInteger(serial) ? moment.slice(0, 10) : moment.slice(0, 19)
}
