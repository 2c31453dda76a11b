import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { healthDuring, until } from '#server/testing/until.ts'
import { buildWorkbook, deflateRepeated, XML } from '#server/testing/workbook.ts'
import { ImportLimits } from './import-limits.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

function buildForm(content: string | Uint8Array, fields: Record<string, string> = {}): FormData {
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
    () =>
      buildWorkbook(sheet(cell(11)), deflateRepeated(`${XML}<sst>`, `<si><t>${long}</t></si>`, 12, '</sst>'), CLAIMED),
  ],
  [
    'one comment of 1.2 GB',
    () => buildWorkbook(sheet(cell(0)), deflateRepeated(`${XML}<sst><!--`, long, 12, '--></sst>'), CLAIMED),
  ],
  [
    'tags that are never closed',
    () => buildWorkbook(deflateRepeated(`${XML}<worksheet>`, '<a>'.repeat(1_000_000), 12, ''), undefined, CLAIMED),
  ],
  [
    'strings without end, of which the first row names one',
    () =>
      buildWorkbook(
        sheet(cell(400_000_000)),
        deflateRepeated(`${XML}<sst>`, `<si><t>${'x'.repeat(10_000)}</t></si>`.repeat(1_000), 100, '</sst>'),
        CLAIMED,
      ),
  ],
]

test.each(HOSTILE)(
  'import preview: a workbook with %s is refused, and the server responds meanwhile',
  async (_, make) => {
    const person = await t.person()
    const file = make()
    expect(file.length).toBeLessThan(5_000_000)
    const refused = person.api(contacts.importPreview, { form: buildForm(file) }).catch((error: unknown) => error)
    expect(await healthDuring(t.address, refused)).toBeGreaterThan(10)
    expect(await refused).toMatchObject({ status: 400, code: 'unreadable_file' })
    expect(await filesLeft()).toEqual([])
  },
)

test('import: a workbook that the preview refuses is refused', async () => {
  const person = await t.person()
  const file = buildWorkbook(
    sheet(cell(0)),
    deflateRepeated(`${XML}<sst>`, `<si><t>${long}</t></si>`, 1, '</sst>'),
    CLAIMED,
  )
  await expect(person.api(contacts.import, { form: buildForm(file) })).rejects.toMatchObject({
    code: 'unreadable_file',
    details: [{ field: 'file' }],
  })
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
    form: buildForm(buildWorkbook(sheet(cell(0) + cell(1)), strings)),
  })
  expect(seen).toMatchObject({ kind: 'xlsx', columns: ['email'], rows: [['a@example.com']] })
})

async function importing(person: Person, content: string | Uint8Array) {
  const { importId } = await person.api(contacts.import, { form: buildForm(content) })
  return until(async () => {
    const job = await person.api(imports.get, { params: { id: importId } })
    return (job.state === 'done' || job.state === 'failed') && job
  }, 'the end of the import')
}

const BAD = '<row><c t="inlineStr"><is><t>no address</t></is></c></row>'
const GOOD =
  '<row><c t="inlineStr"><is><t>email</t></is></c></row><row><c t="inlineStr"><is><t>a@example.com</t></is></c></row>'

test.each([
  [
    'a workbook of six million',
    () =>
      buildWorkbook(
        deflateRepeated(`${XML}<worksheet><sheetData>${GOOD}`, BAD.repeat(10_000), 600, '</sheetData></worksheet>'),
      ),
  ],
  ['a text file of a million', () => Buffer.from(`email\na@example.com\n${'no address\n'.repeat(1_000_000)}`)],
])('import: %s bad rows fails early, with good rows stored and bad ones limited', async (_, make) => {
  const person = await t.person()
  const job = await importing(person, make())
  expect(job).toMatchObject({ state: 'failed', imported: 1, error: expect.stringContaining('fewer than one in ten') })
  // A portion on either side of the bound, however many rows follow.
  expect(job.total).toBeGreaterThan(100_000)
  expect(job.total).toBeLessThan(105_000)
  expect(job.errorCount).toBe(job.total - 1)
  const stored = await t.services.pool.query('select count(*)::int as rows from import_errors where import_id = $1', [
    job.id,
  ])
  expect(stored.rows).toEqual([{ rows: 100_000 }])
  const csv = await (await person.api(imports.errors, { params: { id: job.id } })).text()
  expect(csv.trim().split('\r\n').at(-1)).toContain(`${(job.errorCount - 100_000).toLocaleString('en')} more bad rows`)
  expect(await filesLeft()).toEqual([])
})

test('import: bad rows beyond those listed are counted, and with enough good rows it continues', async () => {
  const limits = new ImportLimits(0, 0, { rows: 99_999, text: 0 })
  const bad = [1, 2, 3].map((row) => ({ row, reason: 'no address', line: 'x' }))
  expect(limits.toStore(bad)).toEqual(bad.slice(0, 1))
  limits.note(1_000_000, bad, bad.length)
  expect(limits.toStore(bad)).toEqual([])
  limits.note(
    10_000_000,
    Array.from({ length: 1_000_000 }, (_, row) => ({ row, reason: '', line: '' })),
    1_000_000,
  )
  expect(() => limits.check()).not.toThrow()
  limits.note(10_000_000, [], 0)
  expect(() => limits.check()).toThrow('more than 20,000,000 rows')
})

test('import: long bad rows are stored up to 32 MB of text', () => {
  const limits = new ImportLimits(0, 0, { rows: 0, text: 32 * 2 ** 20 - 1_000 })
  const bad = [1, 2, 3].map((row) => ({ row, reason: '', line: 'x'.repeat(500) }))
  expect(limits.toStore(bad)).toHaveLength(2)
})

test('import: a sheet with more rows than a worksheet can have is refused', async () => {
  const person = await t.person()
  const rows = deflateRepeated(`${XML}<worksheet><sheetData>`, '<row/>'.repeat(2 ** 16), 17, '</sheetData></worksheet>')
  await expect(person.api(contacts.import, { form: buildForm(buildWorkbook(rows)) })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('1,048,576'),
  })
})

test('import: a workspace has at most three queued imports and 4 GB of files', async () => {
  const [many, large] = [await t.person(), await t.person()]
  const waiting = (person: Person, bytes: number) =>
    t.services.pool.query(
      "insert into imports (workspace_id, file_name, file_path, mapping, state, file_size) values ($1, 'a.csv', gen_random_uuid(), '{}', 'queued', $2)",
      [person.workspaceId, bytes],
    )
  for (let i = 0; i < 3; i++) await waiting(many, 10)
  await waiting(large, 4 * 2 ** 30)
  for (const person of [many, large])
    await expect(person.api(contacts.import, { form: buildForm('email\na@example.com') })).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('4 GB'),
    })
  expect(await filesLeft()).toEqual([])
})
