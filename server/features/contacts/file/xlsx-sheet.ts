import { SaxesParser } from 'saxes'
import { CAPS, type Row } from './refusal.ts'

const MAX_TEXT = CAPS.cell + 1

/** Reads the XML of one sheet, pushed in pieces, into rows. `textOf` turns a cell's type, style and value into text. */
export class SheetReader {
  rows: Row[] = []
  private readonly parser = new SaxesParser({ position: false })
  private readonly textOf: (type: string, style: string, value: string) => string
  private row = 0
  private cells: string[] = []
  private wide = false
  private column = 0
  private type = ''
  private style = ''
  private value = ''
  private collecting = false
  private phonetic = false

  constructor(textOf: (type: string, style: string, value: string) => string) {
    this.textOf = textOf
    this.parser.on('error', (error) => {
      throw error
    })
    this.parser.on('opentag', (tag) => this.open(bare(tag.name), tag.attributes as Record<string, string>))
    this.parser.on('closetag', (tag) => this.finish(bare(tag.name)))
    this.parser.on('text', (text) => {
      if (this.collecting && this.value.length < MAX_TEXT) this.value += text
    })
  }

  write(xml: string): void {
    this.parser.write(xml)
  }

  close(): void {
    this.parser.close()
  }

  /** The rows read since the last call. */
  take(): Row[] {
    const rows = this.rows
    this.rows = []
    return rows
  }

  private open(name: string, attributes: Record<string, string>): void {
    if (name === 'row') {
      this.row = Number(attributes.r) || this.row + 1
      this.cells = []
      this.column = 0
      this.wide = false
    } else if (name === 'c') {
      this.column = attributes.r ? columnOf(attributes.r) : this.column + 1
      this.type = attributes.t ?? 'n'
      this.style = attributes.s ?? ''
      this.value = ''
    } else if (name === 'v') this.collecting = true
    else if (name === 't') this.collecting = !this.phonetic
    else if (name === 'rPh') this.phonetic = true
  }

  private finish(name: string): void {
    if (name === 'v' || name === 't') this.collecting = false
    else if (name === 'rPh') this.phonetic = false
    else if (name === 'c') this.addCell()
    else if (name === 'row') this.addRow()
  }

  private addCell(): void {
    if (this.value === '') return
    const text = this.textOf(this.type, this.style, this.value)
    if (text === '') return
    // A stray mark far to the right is no reason to fill a row with empty cells.
    if (this.column > CAPS.columns) this.wide = true
    else {
      while (this.cells.length < this.column - 1) this.cells.push('')
      this.cells[this.column - 1] = text
    }
  }

  private addRow(): void {
    const { row, cells } = this
    if (this.wide) this.rows.push({ row, cells: [], problem: `the row has more than ${CAPS.columns} cells` })
    else if (cells.some((cell) => cell.length > CAPS.cell)) {
      this.rows.push({ row, cells: [], problem: 'a cell is longer than 64 KB' })
    } else if (cells.some((cell) => cell.trim() !== '')) this.rows.push({ row, cells, problem: null })
  }
}

/** `C7` is column 3. */
function columnOf(reference: string): number {
  let column = 0
  for (let i = 0; i < reference.length; i++) {
    const code = reference.charCodeAt(i) & 0xdf
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return column || 1
}

function bare(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
