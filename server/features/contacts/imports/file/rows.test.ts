import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRows, preview } from './rows.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postlark-rows-'))
})
afterAll(() => rm(folder, { recursive: true }))

let made = 0
async function file(content: Buffer | Uint8Array | string): Promise<string> {
  const path = join(folder, `f${made++}`)
  await writeFile(path, content)
  return path
}

async function readAll(path: string) {
  const opened = await openRows(path)
  const rows = []
  for await (const batch of opened.rows()) rows.push(...batch)
  return { ...opened, rows, read: opened.progress() }
}

const TABLE = 'email;name;city\r\njosé@example.com;Zoë Müller;Köln\r\nb@example.com;"Öz; Ali";€uro\r\n'

test.each([
  ['UTF-8', Buffer.from(TABLE), 'UTF-8'],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TABLE}`), 'UTF-8'],
  ['UTF-16LE with a mark', iconv.encode(TABLE, 'utf-16le', { addBOM: true }), 'UTF-16LE'],
  ['UTF-16BE with a mark', iconv.encode(TABLE, 'utf-16be', { addBOM: true }), 'UTF-16BE'],
  ['UTF-16LE without', iconv.encode(TABLE, 'utf-16le', { addBOM: false }), 'UTF-16LE'],
  ['UTF-16BE without', iconv.encode(TABLE, 'utf-16be', { addBOM: false }), 'UTF-16BE'],
  ['Windows-1252', iconv.encode(TABLE, 'windows-1252'), 'Windows-1252'],
])('file: %s is recognized and read', async (_, bytes, encoding) => {
  const table = await readAll(await file(bytes))
  expect(table).toMatchObject({ kind: 'csv', encoding, delimiter: ';', columns: ['email', 'name', 'city'] })
  expect(table.rows).toEqual([
    { row: 2, cells: ['josé@example.com', 'Zoë Müller', 'Köln'], problem: null },
    { row: 3, cells: ['b@example.com', 'Öz; Ali', '€uro'], problem: null },
  ])
})

test.each([',', ';', '\t', '|'])('file: the delimiter %j is found among commas in text', async (delimiter) => {
  const text = [
    ['email', 'note'],
    ['a@example.com', '"one, two; three"'],
    ['b@example.com', '4.5'],
  ]
    .map((r) => r.join(delimiter))
    .join('\n')
  expect(await readAll(await file(text))).toMatchObject({ delimiter, columns: ['email', 'note'] })
})

test.each(['\n', '\r', '\r\n'])('file: rows that end with %j are read', async (end) => {
  expect((await readAll(await file(['email,name', 'a@example.com,A', 'b@example.com,B'].join(end)))).rows).toHaveLength(
    2,
  )
})

test('file: an accent at the end of a long file decides the encoding', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `u${i}@example.com,Plain`)
  const ansi = await readAll(
    await file(iconv.encode(['email,name', ...rows, 'z@example.com,Zoë'].join('\n'), 'windows-1252')),
  )
  expect(ansi.rows.at(-1)?.cells).toEqual(['z@example.com', 'Zoë'])
  const broken = Buffer.concat([
    Buffer.from(['email,name', ...rows, 'y@example.com,Zoë Müller'].join('\n')),
    Buffer.from([10, 0xff]),
  ])
  const utf8 = await readAll(await file(broken))
  expect(utf8).toMatchObject({ encoding: 'UTF-8', read: 1 })
  expect(utf8.rows.at(-2)?.cells).toEqual(['y@example.com', 'Zoë Müller'])
})

test('file: one without headings gets column names and loses no row', async () => {
  const table = await readAll(await file('a@example.com,Ann\nb@example.com,Ben\n'))
  expect(table.columns).toEqual(['Column 1', 'Column 2'])
  expect(table.rows.map((row) => row.row)).toEqual([1, 2])
})

test('file: empty and repeated headings get unique names, and sep= sets the delimiter', async () => {
  const table = await readAll(await file('sep=;\nMail;Name;;Name\na@example.com;A;x;B\n'))
  expect(table).toMatchObject({ delimiter: ';', columns: ['Mail', 'Name', 'Column 3', 'Name (2)'] })
})

test.each([
  [
    'E-Mail-Adresse,Telefonnummer,Name,Firma',
    { 'E-Mail-Adresse': 'email', Telefonnummer: 'phone', Name: 'name', Firma: 'firma' },
  ],
  [
    'Prénom,Adresse électronique,Portable',
    { Prénom: 'first_name', 'Adresse électronique': 'email', Portable: 'phone' },
  ],
  ['Correo electrónico,Nombre,Móvil', { 'Correo electrónico': 'email', Nombre: 'name', Móvil: 'phone' }],
  ['メールアドレス,氏名,電話番号', { メールアドレス: 'email', 氏名: 'name', 電話番号: 'phone' }],
  ['Электронная почта,ФИО,Телефон', { 'Электронная почта': 'email', ФИО: 'name', Телефон: 'phone' }],
])('file: the headings %s are mapped to fields', async (heading, mapping) => {
  expect((await preview(await file(`${heading}\n`), { counts: true })).mapping).toEqual(mapping)
})

test('file: columns without headings are mapped by their content', async () => {
  const seen = await preview(await file('Ann,a@example.com,+49 30 123456\nBen,b@example.com,+49 30 123457\n'), {
    counts: true,
  })
  expect(seen.mapping).toMatchObject({ 'Column 2': 'email', 'Column 3': 'phone' })
  expect(seen.rows).toHaveLength(2)
})

test.each([
  ['', 'is empty'],
  ['\ufeff', 'is empty'],
  ['\n\n , \n', 'holds no rows'],
  ['%PDF-1.7 ...', 'PDF'],
  ['<html><table><tr><td>a@example.com', 'web page'],
  [Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'old Excel workbook'],
  [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'an image'],
  [Buffer.from([1, 2, 3, 0, 0, 0, 0, 0, 9, 9, 0, 0]), 'not text'],
  [zipSync({ 'word/document.xml': strToU8('<x/>') }), 'Word document'],
  [zipSync({ 'a.csv': strToU8('email\n') }), 'ZIP archive'],
  [Buffer.from('PK\x03\x04 and then nothing', 'latin1'), 'damaged'],
])('file: one that is no table is refused with the reason: %#', async (content, words) => {
  await expect(openRows(await file(content))).rejects.toThrow(words)
})

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
function workbook(sheet: string, extra: Record<string, string> = {}): Uint8Array {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types/>`,
    '_rels/.rels': `${XML}<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook><sheets><sheet name="Old" sheetId="1" state="hidden" r:id="rId9"/><sheet name="People" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
    'xl/worksheets/sheet2.xml': `${XML}<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...extra,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}

test('file: a workbook with text, numbers, dates, booleans and blank rows is read', async () => {
  const sheet =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>Since</t></is></c><c r="D1" t="str"><v>Phone</v></c></row>' +
    '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="C2" s="1"><v>45292</v></c><c r="D2"><v>4.91761234567E+11</v></c></row>' +
    '<row r="3"/>' +
    '<row r="4"><c r="A4" t="inlineStr"><is><r><t>b@ex</t></r><r><t>ample.com</t></r><rPh><t>x</t></rPh></is></c><c r="B4"><v>0.30000000000000004</v></c><c r="C4" s="2"><v>45292.5</v></c><c r="D4" t="b"><v>1</v></c></row>'
  const path = await file(
    workbook(sheet, {
      'xl/sharedStrings.xml': `${XML}<sst><si><t>Email</t></si><si><r><t>Na</t></r><r><t xml:space="preserve">me</t></r></si><si><t>a&amp;b@example.com</t></si></sst>`,
      'xl/styles.xml': `${XML}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    }),
  )
  const table = await readAll(path)
  expect(table).toMatchObject({ kind: 'xlsx', delimiter: null, columns: ['Email', 'Name', 'Since', 'Phone'] })
  expect(table.rows).toEqual([
    { row: 2, cells: ['a&b@example.com', '', '2024-01-01', '491761234567'], problem: null },
    { row: 4, cells: ['b@example.com', '0.3', '2024-01-01T12:00:00', 'true'], problem: null },
  ])
})

test('file: rows of a workbook with repeated or falling numbers are all read, each with a number of its own', async () => {
  const row = (number: string, text: string) => `<row r="${number}"><c t="str"><v>${text}</v></c></row>`
  const sheet = row('1', 'Email') + row('1', 'one') + row('7', 'two') + row('7', 'three') + row('2', 'four')
  const table = await readAll(await file(workbook(sheet)))
  expect(table.rows.map(({ row, cells }) => [row, cells[0]])).toEqual([
    [2, 'one'],
    [7, 'two'],
    [8, 'three'],
    [9, 'four'],
  ])
})

test('file: a workbook whose strings do not fit into memory is read', async () => {
  // Twice what stays in memory.
  const count = 12_000
  const strings = Array.from({ length: count }, (_, i) => `u${i}@example.com ${'x'.repeat(1_500)}`)
  const rows = strings
    .map((_, i) => `<row r="${i + 2}"><c r="A${i + 2}" t="s"><v>${count - 1 - i}</v></c></row>`)
    .join('')
  const sst = `${XML}<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`
  const heading = '<row r="1"><c r="A1" t="inlineStr"><is><t>email</t></is></c></row>'
  const table = await readAll(await file(workbook(heading + rows, { 'xl/sharedStrings.xml': sst })))
  expect(table.rows).toHaveLength(count)
  expect(table.rows.every((row, i) => row.cells[0] === strings[count - 1 - i])).toBe(true)
})

test('file: a workbook that unpacks to too much or breaks off is refused', async () => {
  const bomb = workbook(
    ' '
      .repeat(80 * 2 ** 10)
      .concat('<row/>')
      .repeat(2 ** 10),
  )
  expect(bomb.length).toBeLessThan(2 ** 20)
  await expect(openRows(await file(bomb))).rejects.toThrow('unpacks to far more')
  const long = workbook(`<row r="1"><c t="inlineStr"><is><t>${'a'.repeat(2 ** 20)}</t></is></c></row>`)
  await expect(openRows(await file(long))).rejects.toThrow('longer than any cell')
  const cut = workbook('<row r="1"><c t="inlineStr"><is><t>email</t></is></c></row><row r="2"><c t="n"><v>1')
  await expect(readAll(await file(cut))).rejects.toThrow('damaged')
})
