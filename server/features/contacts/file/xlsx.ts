import { StringDecoder } from 'node:string_decoder'
import { SaxesParser } from 'saxes'
import { FileRefused, type Row } from './refusal.ts'
import { StringTable } from './string-table.ts'
import { cellText, dateStyles, type Styles } from './xlsx-cell.ts'
import { SheetReader } from './xlsx-sheet.ts'
import { openZip, unpack, type ZipEntry } from './zip.ts'

const BATCH = 2_000

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
export async function* readXlsx(path: string, book: Workbook, onBytes: (bytes: number) => void): AsyncGenerator<Row[]> {
  const strings = new StringTable()
  try {
    if (book.strings) await readStrings(path, book.strings, strings)
    const reader = new SheetReader((type, style, value) => cellText(type, style, value, strings, book.styles))
    const decoder = new StringDecoder('utf8')
    for await (const piece of unpack(path, book.sheet, onBytes)) {
      guarded(() => reader.write(decoder.write(piece)))
      if (reader.rows.length >= BATCH) yield reader.take()
    }
    guarded(() => reader.close())
    yield reader.take()
  } finally {
    strings.close()
  }
}

async function readStrings(path: string, entry: ZipEntry, strings: StringTable): Promise<void> {
  let text = ''
  let inText = false
  let phonetic = false
  const open = (name: string) => {
    if (name === 'si') text = ''
    if (name === 't') inText = !phonetic
    if (name === 'rPh') phonetic = true
  }
  const close = (name: string) => {
    if (name === 'si') strings.add(text)
    if (name === 't') inText = false
    if (name === 'rPh') phonetic = false
  }
  await parse(path, entry, open, close, (piece) => {
    if (inText && text.length <= 70_000) text += piece
  })
}

type Open = (name: string, attributes: Record<string, string>) => void

/** Parses an XML entry piece by piece. Names come without their prefix. */
async function parse(
  path: string,
  entry: ZipEntry,
  open: Open,
  close?: (name: string) => void,
  text?: (piece: string) => void,
) {
  const parser = new SaxesParser({ position: false })
  parser.on('error', damaged)
  parser.on('opentag', (tag) => open(bare(tag.name), tag.attributes as Record<string, string>))
  if (close) parser.on('closetag', (tag) => close(bare(tag.name)))
  if (text) parser.on('text', text)
  const decoder = new StringDecoder('utf8')
  for await (const piece of unpack(path, entry)) guarded(() => parser.write(decoder.write(piece)))
  guarded(() => parser.close())
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

function bare(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

function damaged(): never {
  throw new FileRefused(
    'The workbook is damaged and cannot be read to its end. Open it, save it again and send it once more.',
  )
}

function guarded(read: () => void): void {
  try {
    read()
  } catch (error) {
    if (error instanceof FileRefused) throw error
    damaged()
  }
}
