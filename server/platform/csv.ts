// What spreadsheets run, or make a formula of while they read: the signs in all their widths, behind blanks too, and a
// leading tab or line break (OWASP, CSV injection).
const START = String.raw`[\s\p{C}]*[\t\r\n=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]`
/** A cell a spreadsheet would run as a formula (CWE-1236), already neutralized ones included so that the way back is exact. */
const FORMULA = new RegExp(`^'*${START}`, 'u')
const NEUTRALIZED = new RegExp(`^''*${START}`, 'u')

/** Puts an apostrophe before what a spreadsheet would run. */
export function neutralize(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** Takes the apostrophe away again. */
export function restore(cell: string): string {
  return NEUTRALIZED.test(cell) ? cell.slice(1) : cell
}

/** One line of CSV, every cell quoted and safe to open in a spreadsheet. */
export function csvLine(cells: string[]): string {
  return `${cells.map((cell) => `"${neutralize(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/** Pages of rows, the first with the header, as a CSV file (RFC 4180), so that memory stays flat. Spreadsheets read UTF-8 by the mark it begins with. */
export async function* csvFile(pages: AsyncIterable<string[][]> | Iterable<string[][]>): AsyncGenerator<string> {
  let mark = '\ufeff'
  for await (const page of pages) {
    if (page.length > 0) yield mark + page.map(csvLine).join('')
    mark = ''
  }
}
