import { StringDecoder } from 'node:string_decoder'
import { CAPS, FileRefused, type FileRow } from './refusal.ts'
import { SharedStrings } from './shared-strings.ts'
import { dateStyles, type Styles } from './xlsx-cell.ts'
import { SheetReader, type SheetRow } from './xlsx-sheet.ts'
import { XmlReader } from './xml.ts'
import { openZip, TOO_MUCH, unpack, type ZipEntry } from './zip.ts'

/** Characters of text in one batch of rows, about. */
const BATCH_TEXT = 2 ** 20
/** Characters all cells together may have: a string that many cells share counts for each of them. */
const MAX_TEXT = 4 * 2 ** 30
/** Bytes the parts beside the sheet and its strings may unpack to. */
const MAX_PART = 16 * 2 ** 20

export interface Workbook {
  sheet: ZipEntry
  strings: ZipEntry | undefined
  styles: Styles
}

/** Finds the first sheet of a workbook (ECMA-376). Throws FileRefused for any other ZIP file. */
export async function openWorkbook(path: string): Promise<Workbook> {
  const zip = await openZip(path)
  const target = (await relation(path, zip, '_rels/.rels', /\/officeDocument$/)) ?? 'xl/workbook.xml'
  const workbook = zip.get(target)
  if (!workbook || !/\.xml$/.test(target) || !target.includes('xl/')) throw new FileRefused(strange(zip))
  let sheetId = ''
  let date1904 = false
  await parse(path, workbook, (name, attributes) => {
    if (name === 'sheet' && !sheetId && attributes.state !== 'hidden' && attributes.state !== 'veryHidden') {
      sheetId = attributes['r:id'] ?? Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
    }
    if (name === 'workbookPr') date1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
  })
  const folder = target.slice(0, target.lastIndexOf('/') + 1)
  const rels = `${folder}_rels/${target.slice(folder.length)}.rels`
  const at = await relation(path, zip, rels, /\/worksheet$/, sheetId)
  const sheet = zip.get(at ?? '')
  if (!sheet) throw new FileRefused('The workbook has no visible sheet.')
  const styles = zip.get(`${folder}styles.xml`)
  const dates = styles ? await dateStyles((see) => parse(path, styles, see)) : new Set<number>()
  return { sheet, strings: zip.get(`${folder}sharedStrings.xml`), styles: { dates, date1904 } }
}

/** Yields the rows of the sheet in batches. Memory is bounded however long the sheet and its strings are. */
export async function* readXlsx(
  path: string,
  book: Workbook,
  onBytes: (bytes: number) => void,
): AsyncGenerator<FileRow[]> {
  const strings = new SharedStrings(path, book.strings)
  try {
    const reader = new SheetReader(book.styles)
    const batches = new Batches(strings)
    const decoder = new StringDecoder('utf8')
    for await (const piece of unpack(path, book.sheet, { onBytes }))
      yield* batches.of(reader.push(decoder.write(piece)))
    yield* batches.of(reader.end())
  } finally {
    await strings.close()
  }
}

/** Makes rows of text of what stands in the sheet. */
class Batches {
  private readonly strings: SharedStrings
  private total = 0

  constructor(strings: SharedStrings) {
    this.strings = strings
  }

  async *of(read: SheetRow[]): AsyncGenerator<FileRow[]> {
    await this.strings.readTo(highest(read))
    let batch: FileRow[] = []
    let text = 0
    for (const one of read) {
      const row = this.toTextRow(one)
      if (!row) continue
      batch.push(row)
      for (const cell of row.cells) text += cell.length
      if (text < BATCH_TEXT) continue
      yield batch
      batch = []
      text = 0
    }
    if (batch.length > 0) yield batch
  }

  /** The row, or undefined where it is blank. */
  private toTextRow({ row, cells, wide }: SheetRow): FileRow | undefined {
    if (wide) return { row, cells: [], problem: `the row has more than ${CAPS.columns} cells` }
    const texts: string[] = []
    let length = 0
    let used = 0
    for (const cell of cells) {
      const text = typeof cell === 'number' ? this.strings.get(cell) : cell
      length += text.length
      this.total += text.length
      if (this.total > MAX_TEXT) throw new FileRefused(TOO_MUCH)
      if (text.length > CAPS.cell) return { row, cells: [], problem: 'a cell is longer than 64 KB' }
      if (length > CAPS.row) return { row, cells: [], problem: 'the row is longer than 1 MB' }
      texts.push(text)
      if (text !== '') used = texts.length
    }
    texts.length = used
    return texts.some((text) => text.trim() !== '') ? { row, cells: texts, problem: null } : undefined
  }
}

function highest(rows: SheetRow[]): number {
  let index = -1
  for (const { cells } of rows) for (const cell of cells) if (typeof cell === 'number' && cell > index) index = cell
  return index
}

/** Parses one of the small parts, which are read whole. */
async function parse(path: string, entry: ZipEntry, open: (name: string, attributes: Record<string, string>) => void) {
  const xml = new XmlReader({ open })
  const decoder = new StringDecoder('utf8')
  for await (const piece of unpack(path, entry, { max: MAX_PART })) xml.write(decoder.write(piece))
  xml.close()
}

/** The part a relationship of the given type (and id) points to, as a path in the ZIP file. */
async function relation(path: string, zip: Map<string, ZipEntry>, rels: string, type: RegExp, id?: string) {
  const entry = zip.get(rels)
  if (!entry) return undefined
  const folder = rels.slice(0, rels.lastIndexOf('_rels/'))
  let found: string | undefined
  await parse(path, entry, (name, a) => {
    if (name !== 'Relationship' || found !== undefined || !type.test(a.Type ?? '') || (id !== undefined && a.Id !== id))
      return
    const target = a.Target ?? ''
    found = target.startsWith('/') ? target.slice(1) : folder + target.replace(/^\.\//, '')
  })
  return found
}

function strange(zip: Map<string, ZipEntry>): string {
  const again = 'Save the table as CSV or as an Excel workbook (.xlsx) and send it again.'
  if (zip.has('xl/workbook.bin')) return `The file is a binary Excel workbook (.xlsb). ${again}`
  if (zip.has('word/document.xml')) return `The file is a Word document, not a table. ${again}`
  if (zip.has('ppt/presentation.xml')) return `The file is a presentation, not a table. ${again}`
  if (zip.has('content.xml')) return `The file is an OpenDocument file. ${again}`
  return `The file is a ZIP archive, not a table. Unpack it and send the table inside.`
}
