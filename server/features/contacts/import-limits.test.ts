import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { deflateRepeated, workbookOf, XML } from '#server/testing/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t[Symbol.asyncDispose]())

function formOf(content: string | Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([content as BlobPart]), 'people.xlsx')
  return form
}

const filesLeft = () => readdir(join(t.dataDir, 'imports'))
const CLAIMED = 4_000_000_000
const sheet = (body: string) => deflateRawSync(`${XML}<worksheet><sheetData>${body}</sheetData></worksheet>`)
const cell = (index: number) => `<row><c t="s"><v>${index}</v></c></row>`
const long = 'a'.repeat(100_000_000)

const HOSTILE: [string, () => Buffer][] = [
  [
    'twelve shared strings of 100 MB, said to be 4 GB packed',
    () => workbookOf(sheet(cell(11)), deflateRepeated(`${XML}<sst>`, `<si><t>${long}</t></si>`, 12, '</sst>'), CLAIMED),
  ],
  [
    'one comment of 1.2 GB',
    () => workbookOf(sheet(cell(0)), deflateRepeated(`${XML}<sst><!--`, long, 12, '--></sst>'), CLAIMED),
  ],
  [
    'tags that are never closed',
    () => workbookOf(deflateRepeated(`${XML}<worksheet>`, '<a>'.repeat(1_000_000), 12, ''), undefined, CLAIMED),
  ],
  [
    'strings without end, of which the first row names one',
    () =>
      workbookOf(
        sheet(cell(400_000_000)),
        deflateRepeated(`${XML}<sst>`, `<si><t>${'x'.repeat(10_000)}</t></si>`.repeat(1_000), 100, '</sst>'),
        CLAIMED,
      ),
  ],
]

test.each(HOSTILE)(
  'import preview: a workbook with %s is refused, and the server answers meanwhile',
  async (_, make) => {
    const person = await t.person()
    const file = make()
    expect(file.length).toBeLessThan(5_000_000)
    let isRefused = false
    const refused = person
      .api(contacts.importPreview, { form: formOf(file) })
      .catch((error: unknown) => error)
      .finally(() => {
        isRefused = true
      })
    let answers = 0
    for (; !isRefused; answers++) expect((await fetch(`${t.address}/healthz`)).status).toBe(200)
    expect(await refused).toMatchObject({ status: 400, code: 'unreadable_file' })
    expect(answers).toBeGreaterThan(10)
    expect(await filesLeft()).toEqual([])
  },
)

test('import: what the preview refuses is no import either', async () => {
  const person = await t.person()
  const file = workbookOf(
    sheet(cell(0)),
    deflateRepeated(`${XML}<sst>`, `<si><t>${long}</t></si>`, 1, '</sst>'),
    CLAIMED,
  )
  await expect(person.api(contacts.import, { form: formOf(file) })).rejects.toMatchObject({ code: 'unreadable_file' })
  expect(await filesLeft()).toEqual([])
})

test('import preview: shared strings are read only as far as the first rows name them', async () => {
  const person = await t.person()
  // What comes after the strings of the first rows could not be read: it is never looked at.
  const strings = deflateRepeated(
    `${XML}<sst><si><t>email</t></si><si><t>a@example.com</t></si>`,
    '<si><t>x</t></si>'.repeat(100_000),
    1,
    '</broken>',
  )
  const seen = await person.api(contacts.importPreview, {
    form: formOf(workbookOf(sheet(cell(0) + cell(1)), strings)),
  })
  expect(seen).toMatchObject({ kind: 'xlsx', columns: ['email'], rows: [['a@example.com']] })
})
