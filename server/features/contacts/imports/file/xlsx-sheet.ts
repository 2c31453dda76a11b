import { CAPS, FileRefused } from './refusal.ts'
import { cellValue, type Styles } from './xlsx-cell.ts'
import { XmlReader } from './xml.ts'

const MAX_TEXT = CAPS.cell + 1
/** What a worksheet has at most (Excel, LibreOffice and Numbers alike). */
const MAX_ROWS = 1_048_576

/** A row as it stands in the sheet: texts, and the numbers of shared strings. `wide`: it has too many cells. */
export interface SheetRow {
  row: number
  cells: (string | number)[]
  wide: boolean
}

/** Reads the XML of one sheet, pushed in pieces, into rows. Throws FileRefused beyond 1,048,576 rows. */
export class SheetReader {
  private rows: SheetRow[] = []
  private readonly xml: XmlReader
  private readonly styles: Styles
  private count = 0
  private row = 0
  private cells: (string | number)[] = []
  private wide = false
  private column = 0
  private type = ''
  private style = ''
  private value = ''
  private collecting = false
  private phonetic = false

  constructor(styles: Styles) {
    this.styles = styles
    this.xml = new XmlReader({
      open: (name, attributes) => this.open(name, attributes),
      close: (name) => this.finish(name),
      text: (text) => {
        if (this.collecting && this.value.length < MAX_TEXT) this.value = (this.value + text).slice(0, MAX_TEXT)
      },
    })
  }

  /** Takes the next piece and returns the rows it completes. */
  push(xml: string): SheetRow[] {
    this.xml.write(xml)
    return this.take()
  }

  /** The sheet has ended: returns what is left. */
  end(): SheetRow[] {
    this.xml.close()
    return this.take()
  }

  private take(): SheetRow[] {
    const rows = this.rows
    this.rows = []
    return rows
  }

  private open(name: string, attributes: Record<string, string>): void {
    if (name === 'row') {
      if (++this.count > MAX_ROWS) {
        throw new FileRefused('The sheet has more rows than a worksheet can have (1,048,576).')
      }
      const given = Number(attributes.r)
      // A number that was there before, or goes back, names two rows alike: then rows are counted on.
      this.row = Number.isInteger(given) && given > this.row && given <= MAX_ROWS ? given : this.row + 1
      this.cells = []
      this.column = 0
      this.wide = false
    } else if (name === 'c') {
      this.column = attributes.r ? parseColumn(attributes.r) : this.column + 1
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
    else if (name === 'row' && (this.wide || this.cells.length > 0))
      this.rows.push({ row: this.row, cells: this.cells, wide: this.wide })
  }

  private addCell(): void {
    if (this.value === '') return
    const value = cellValue(this.type, this.style, this.value, this.styles)
    if (value === '') return
    // A stray mark far to the right is no reason to fill a row with empty cells.
    if (this.column > CAPS.columns) this.wide = true
    else {
      while (this.cells.length < this.column - 1) this.cells.push('')
      this.cells[this.column - 1] = value
    }
  }
}

/** `C7` is column 3. */
function parseColumn(reference: string): number {
  let column = 0
  for (let i = 0; i < reference.length; i++) {
    const code = reference.charCodeAt(i) & 0xdf
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return column || 1
}
