import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ROWS_A_PIECE = 500
const COLUMNS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']

const relation = (type: string, target: string) =>
  `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`

/** Numbers the strings in the order of their first use, as Excel does. Those of `shared` columns come again and again. */
class Numbers {
  count = 0
  private readonly known = new Map<string, number>()
  private readonly shared: ReadonlySet<number>

  constructor(shared: ReadonlySet<number>) {
    this.shared = shared
  }

  /** The number of a cell's string, and whether this is its first use. */
  next(text: string, column: number): { number: number; isNew: boolean } {
    const earlier = this.known.get(text)
    if (earlier !== undefined) return { number: earlier, isNew: false }
    if (this.shared.has(column)) this.known.set(text, this.count)
    return { number: this.count++, isNew: true }
  }
}

/** What each row gives, in pieces of many rows. */
function* inPieces(before: string, rows: Iterable<string>, after: string): Generator<Buffer> {
  let [piece, held] = [before, 0]
  for (const row of rows) {
    piece += row
    if (++held < ROWS_A_PIECE) continue
    yield Buffer.from(piece)
    ;[piece, held] = ['', 0]
  }
  yield Buffer.from(piece + after)
}

/**
 * Writes a workbook (ECMA-376) as Excel does: one sheet, whose cells name the strings of a part of their own. `makeRows` is run
 * twice; its texts need no escapes. `shared`: the columns whose texts come again. Memory is flat.
 */
export async function writeWorkbook(
  path: string,
  makeRows: () => Iterable<string[]>,
  shared: ReadonlySet<number>,
): Promise<void> {
  function* toSheet() {
    const numbers = new Numbers(shared)
    let at = 0
    for (const row of makeRows()) {
      at++
      const cells = row.map((text, i) => `<c r="${COLUMNS[i]}${at}" t="s"><v>${numbers.next(text, i).number}</v></c>`)
      yield `<row r="${at}" spans="1:${row.length}">${cells.join('')}</row>`
    }
  }
  function* toStrings() {
    const numbers = new Numbers(shared)
    for (const row of makeRows())
      yield row.map((text, i) => (numbers.next(text, i).isNew ? `<si><t>${text}</t></si>` : '')).join('')
  }
  const zip = new ZipFile()
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(XML + text), name)
  add('_rels/.rels', relation('officeDocument', 'xl/workbook.xml'))
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  )
  add('xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml'))
  const addPart = (name: string, pieces: Iterable<Buffer>) => zip.addReadStream(Readable.from(pieces), name)
  addPart(
    'xl/worksheets/sheet1.xml',
    inPieces(`${XML}<worksheet xmlns="${SHEETS}"><sheetData>`, toSheet(), '</sheetData></worksheet>'),
  )
  addPart('xl/sharedStrings.xml', inPieces(`${XML}<sst xmlns="${SHEETS}">`, toStrings(), '</sst>'))
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}
