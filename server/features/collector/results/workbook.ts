import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { neutralize } from '#server/platform/csv.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** What a cell holds at most. */
const MAX_LENGTH = 32_767
/** A number as E.164 begins with a plus and is none but a text in a text cell. */
const NUMBER = /^\+\d{5,20}(?:;ext=\d+)?$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold them
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] as string)

function cell(text: string): string {
  // First what cannot be written: without it the rest may begin with a formula.
  const plain = text.toWellFormed().replace(UNWRITABLE, '')
  const safe = (NUMBER.test(plain) ? plain : neutralize(plain)).slice(0, MAX_LENGTH).toWellFormed()
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(safe)}</t></is></c>`
}

async function* sheet(pages: AsyncGenerator<string[][]>) {
  yield `${XML}<worksheet xmlns="${SHEETS}"><sheetData>`
  for await (const page of pages) yield page.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')
  yield '</sheetData></worksheet>'
}

/**
 * A workbook (ECMA-376) of one sheet as a stream: rows are written as they come, so that memory stays flat. Every cell is
 * a text, which no spreadsheet runs.
 */
export function workbook(title: string, pages: AsyncGenerator<string[][]>): Readable {
  const zip = new ZipFile()
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(XML + text), name)
  add(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  )
  add(
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeXml(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  )
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  )
  const rows = Readable.from(sheet(pages))
  const out = zip.outputStream as Readable
  rows.on('error', (error) => out.destroy(error))
  out.on('close', () => rows.destroy())
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml')
  zip.end()
  return out
}
