import { CAPS, type FileRow } from './refusal.ts'

const QUOTE = 34
const LF = 10
const CR = 13
const UNCLOSED = 'a quotation mark is opened and never closed'
const MISPLACED = 'text follows a closing quotation mark'
const TOO_LONG = 'the row is longer than 1 MB'
const CELL_TOO_LONG = 'a cell is longer than 64 KB'
const TOO_MANY = `the row has more than ${CAPS.columns} cells`

/** Text that may be read a second time because a quotation mark led astray; beyond it damage is skipped, not re-read. */
const REREAD = 64 * 1_048_576

/**
 * Reads delimited text (RFC 4180, and any mix of CR, LF and CRLF) pushed in pieces of any size.
 * A row with a broken quotation mark is reported and reading goes on at the next line.
 * Hand-made: csv-parse, against which it is property-tested, cannot go on after a half-quoted row and is 2.5 times slower.
 */
export class CsvReader {
  private readonly delimiter: string
  private readonly delimiterCode: number
  private text = ''
  private at = 0
  private row = 0
  private final = false
  private skipping = false
  private reread = REREAD
  private rows: FileRow[] = []
  // What bareCell and quotedCell found.
  private cell = ''
  private cellEnd = 0
  // Where the next of each is, at or after `at`; -2 when not yet looked for, Infinity when there is none.
  private quote = -2
  private lf = -2
  private cr = -2

  constructor(delimiter: string) {
    this.delimiter = delimiter
    this.delimiterCode = delimiter.charCodeAt(0)
  }

  /** Takes the next piece and returns the rows it completes. Blank rows are counted and omitted. */
  push(text: string): FileRow[] {
    this.text = this.at < this.text.length ? this.text.slice(this.at) + text : text
    this.at = 0
    this.quote = this.lf = this.cr = -2
    return this.read()
  }

  /** The text has ended: returns what is left. */
  end(): FileRow[] {
    this.final = true
    this.quote = this.lf = this.cr = -2
    return this.read()
  }

  private read(): FileRow[] {
    this.rows = []
    if (this.skipping) this.skip()
    while (this.at < this.text.length && !this.skipping) {
      const end = this.lineEnd()
      if (end < 0) break
      if (this.nextQuote() > end) this.plainLine(end)
      else if (!this.quotedRow()) break
    }
    return this.rows
  }

  /** The end of the line at `at`; -1 while it may still grow and holds no quotation mark. */
  private lineEnd(): number {
    const { text, at } = this
    if (this.lf < at) this.lf = found(text.indexOf('\n', at))
    if (this.cr < at) this.cr = found(text.indexOf('\r', at))
    const end = Math.min(this.lf, this.cr, text.length)
    // A CR at the very end may be the first half of CRLF.
    const open = end === text.length || (end === text.length - 1 && text.charCodeAt(end) === CR)
    if (!open || this.final || this.nextQuote() < end) return end
    if (end - at > CAPS.row) this.giveUp(TOO_LONG, end)
    return -1
  }

  private nextQuote(): number {
    if (this.quote < this.at) this.quote = found(this.text.indexOf('"', this.at))
    return this.quote
  }

  private plainLine(end: number): void {
    const line = this.text.slice(this.at, end)
    this.at = this.afterLineEnd(end)
    if (line.length > CAPS.row) return this.refuse(TOO_LONG)
    this.accept(line === '' ? [] : line.split(this.delimiter, CAPS.columns + 1), line.length)
  }

  /** Reads a row in which there is a quotation mark. False when more text is needed. */
  private quotedRow(): boolean {
    const { text } = this
    const cells: string[] = []
    let i = this.at
    for (;;) {
      if (i - this.at > CAPS.row) return this.giveUp(TOO_LONG, i)
      const cell = text.charCodeAt(i) === QUOTE ? this.quotedCell(i) : this.bareCell(i)
      if (typeof cell === 'string') return this.giveUp(cell, Math.max(i, this.cellEnd))
      if (cell === null) return false
      if (cells.length <= CAPS.columns) cells.push(this.cell)
      i = this.cellEnd
      if (i < text.length && text.charCodeAt(i) === this.delimiterCode) {
        i++
        continue
      }
      if (!this.final && (i === text.length || (i === text.length - 1 && text.charCodeAt(i) === CR))) {
        return i - this.at > CAPS.row ? this.giveUp(TOO_LONG, i) : false
      }
      const length = i - this.at
      this.at = this.afterLineEnd(i)
      this.accept(cells, length)
      return true
    }
  }

  private bareCell(start: number): true | null {
    const { text, delimiterCode } = this
    let i = start
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === delimiterCode || code === LF || code === CR) break
    }
    if (i === text.length && !this.final && i - this.at <= CAPS.row) return null
    this.cell = text.slice(start, i)
    this.cellEnd = i
    return true
  }

  /** Sets `cell` and `cellEnd`; a text says what is wrong; null asks for more. */
  private quotedCell(start: number): true | string | null {
    const { text } = this
    let parts = ''
    let from = start + 1
    for (;;) {
      const close = text.indexOf('"', from)
      if (close < 0) {
        this.cellEnd = text.length
        if (text.length - start > 2 * CAPS.cell || this.final) return UNCLOSED
        return null
      }
      if (text.charCodeAt(close + 1) === QUOTE) {
        parts += text.slice(from, close + 1)
        from = close + 2
        continue
      }
      this.cell = parts + text.slice(from, close)
      this.cellEnd = close + 1
      if (close + 1 === text.length) return this.final ? true : null
      const next = text.charCodeAt(close + 1)
      return next === this.delimiterCode || next === LF || next === CR ? true : MISPLACED
    }
  }

  /** Reports the row and goes on at the line after the one it began on, or after `seen` once too much was read twice. */
  private giveUp(reason: string, seen: number): boolean {
    const line = this.reread > 0 ? this.firstLineEnd(this.at) : this.firstLineEnd(Math.min(seen, this.text.length))
    this.reread -= Math.max(0, seen - line)
    this.refuse(reason)
    this.at = line
    this.skipping = true
    this.skip()
    return true
  }

  private firstLineEnd(from: number): number {
    let i = from
    while (i < this.text.length && this.text.charCodeAt(i) !== LF && this.text.charCodeAt(i) !== CR) i++
    return i
  }

  private afterLineEnd(end: number): number {
    return this.text.charCodeAt(end) === CR && this.text.charCodeAt(end + 1) === LF ? end + 2 : end + 1
  }

  /** Drops text up to and with the next line end. */
  private skip(): void {
    const end = this.firstLineEnd(this.at)
    if (end === this.text.length || (end === this.text.length - 1 && !this.final && this.text.charCodeAt(end) === CR)) {
      this.at = end
      if (!this.final) return
    }
    this.skipping = false
    this.at = this.afterLineEnd(end)
  }

  private refuse(problem: string): void {
    this.row++
    this.rows.push({ row: this.row, cells: [], problem })
  }

  private accept(cells: string[], length: number): void {
    if (cells.length > CAPS.columns) return this.refuse(TOO_MANY)
    if (length > CAPS.cell && cells.some((cell) => cell.length > CAPS.cell)) return this.refuse(CELL_TOO_LONG)
    this.row++
    if (isBlank(cells)) return
    this.rows.push({ row: this.row, cells, problem: null })
  }
}

function isBlank(cells: string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false
  return true
}

function found(index: number): number {
  return index < 0 ? Infinity : index
}
