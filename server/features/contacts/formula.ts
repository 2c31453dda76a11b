/** A cell a spreadsheet would run as a formula (CWE-1236), already neutralised ones included so that the way back is exact. */
const FORMULA = /^'*[=+\-@\t\r]/
const NEUTRALISED = /^''*[=+\-@\t\r]/

/** Puts an apostrophe before what a spreadsheet would run. */
export function neutralise(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** Takes the apostrophe away again. */
export function restore(cell: string): string {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell
}

/** One line of CSV, every cell quoted and safe to open in a spreadsheet. */
export function csvLine(cells: string[]): string {
  return `${cells.map((cell) => `"${neutralise(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}
